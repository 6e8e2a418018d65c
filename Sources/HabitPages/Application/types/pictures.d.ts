/** The canvas without an element, which TypeScript 4.8 does not know. */
declare class OffscreenCanvas {
  constructor(width: number, height: number);
  getContext(kind: '2d', options?: { alpha: boolean }): CanvasRenderingContext2D | null;
  convertToBlob(options: { type: string; quality: number }): Promise<Blob>;
}
