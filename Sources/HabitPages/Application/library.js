// The library that renders the application: Preact with the templates of htm. No other file imports it.
// `preact-htm` is a name that the build and `types/preact-htm.d.ts` define.

export {
  createContext, h, html, render, useCallback, useContext, useEffect, useErrorBoundary, useLayoutEffect, useMemo,
  useReducer, useRef, useState,
} from 'preact-htm';
