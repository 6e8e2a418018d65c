// A canvas below the panes of the map, which is redrawn after each move.

/// The base of the layers of the background. A subclass draws itself in `paint(pen, size, color)`: `pen` is the context of the
/// canvas, `size` its size in CSS pixels, and `color(name)` returns the value of a CSS variable such as `--land`.
export const CanvasLayer = L.Layer.extend({
  /// Adds the layer. The layer that is added last is the lowest.
  onAdd(map) {
    this._canvas = L.DomUtil.create('canvas', 'background');
    this._canvas.setAttribute('aria-hidden', 'true');
    map.getContainer().prepend(this._canvas);
    this._dark = matchMedia('(prefers-color-scheme: dark)');
    this._redraw = () => this.redraw();
    this._dark.addEventListener('change', this._redraw);
    this.redraw();
  },

  onRemove() {
    this._dark.removeEventListener('change', this._redraw);
    this._canvas.remove();
  },

  getEvents() {
    return { move: this.redraw, zoomend: this.redraw, resize: this.redraw, viewreset: this.redraw, zoomanim: this._zoom };
  },

  redraw() {
    const canvas = this._canvas;
    const size = this._map.getSize();
    const scale = window.devicePixelRatio || 1;
    canvas.classList.remove('zooming');
    canvas.style.transform = '';
    canvas.width = size.x * scale;
    canvas.height = size.y * scale;
    canvas.style.width = `${size.x}px`;
    canvas.style.height = `${size.y}px`;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    const style = getComputedStyle(canvas);
    pen.font = `11px ${style.fontFamily}`;
    this.paint(pen, size, name => style.getPropertyValue(name));
  },

  /// Scales the canvas with the panes of the map during a zoom animation.
  _zoom({ center, zoom }) {
    const corner = this._map.project(this._map.containerPointToLatLng([0, 0]), zoom);
    const origin = this._map.project(center, zoom).subtract(this._map.getSize().divideBy(2));
    this._canvas.classList.add('zooming');
    L.DomUtil.setTransform(this._canvas, corner.subtract(origin), this._map.getZoomScale(zoom));
  },
});
