import { encode } from 'uqr';
import { html, type Html } from '../../kit/index.js';

/** The blank frame that scanners need, in modules (ISO/IEC 18004). */
const BORDER = 4;

/** A text as a QR code: always dark on light, because not every scanner reads inverted codes. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const path = data.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('');
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="240" height="240"
shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}

/** The runs of dark modules in a row: start and length. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    if (isDark && row[x - 1]) runs[runs.length - 1][1]++;
    else if (isDark) runs.push([x, 1]);
  });
  return runs;
}
