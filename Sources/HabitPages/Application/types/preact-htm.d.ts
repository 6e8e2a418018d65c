/** The parts of Preact and htm that the application uses. The library has no types of its own. */
declare module 'preact-htm' {
  /** An element that a component returns. */
  interface Element {
    readonly type: unknown;
    readonly props: object;
  }
  /** Everything that can be the content of an element. */
  type Content = Element | string | number | boolean | null | undefined | readonly Content[];
  type Component<Properties> = (properties: Properties & { children?: Content }) => Content;

  function h(type: unknown, properties: object | null, ...children: Content[]): Element;
  function html(strings: TemplateStringsArray, ...values: unknown[]): Element;
  function render(content: Content, parent: globalThis.Element): void;

  interface Context<Value> {
    readonly Provider: Component<{ value: Value }>;
  }
  function createContext<Value>(standard: Value): Context<Value>;
  function useContext<Value>(context: Context<Value>): Value;

  type SetState<State> = (next: State | ((current: State) => State)) => void;
  function useState<State>(initial: State | (() => State)): [State, SetState<State>];
  function useState<State>(): [State | undefined, SetState<State | undefined>];
  function useReducer<State, Action>(
    reduce: (state: State, action: Action) => State, initial: State): [State, (action: Action) => void];

  /** Values whose change runs an effect again or computes a value anew. */
  type Inputs = readonly unknown[];
  type Effect = () => void | (() => void);
  function useEffect(effect: Effect, inputs?: Inputs): void;
  function useLayoutEffect(effect: Effect, inputs?: Inputs): void;
  function useMemo<Value>(compute: () => Value, inputs: Inputs): Value;
  function useCallback<Function extends (...values: any[]) => unknown>(callback: Function, inputs: Inputs): Function;
  function useRef<Value>(initial: Value): { current: Value };
  function useRef<Value>(initial: Value | null): { current: Value | null };
  function useErrorBoundary(handle?: (error: unknown) => void): [unknown, () => void];
}
