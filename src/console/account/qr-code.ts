import { html, qrCode, type Html } from '../../kit/index.js';

/** A text as a QR code: always dark on light, because not every scanner reads inverted codes. */
export function qrPicture(text: string, label: string): Html {
  const { size, path } = qrCode(text);
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="240" height="240"
shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}
