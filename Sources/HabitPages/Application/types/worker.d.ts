/** A part of the Web Worker types that TypeScript 4.8 lacks. */
interface AbortController {
  abort(): void;
}
