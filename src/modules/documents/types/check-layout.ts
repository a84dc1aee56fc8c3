import type { ErrorDetail } from '../../../kit/index.js';
import { isBlock, readToken, type TemplateNames } from '../engine/content/document-template.js';
import { BY_ZERO, dividesByZero } from '../model/expressions/constants.js';
import { LEAST_TEXT, pageSize, textSize } from '../engine/content/page-layout.js';
import { TOKEN_TEXT } from '../engine/content/section-tree.js';
import type { LayoutDto } from '../model/types/layout.dto.js';

const LINES = ['header', 'footer', 'first_header', 'first_footer'] as const;
const COUNTERS = ['page', 'pages'];
const TOKEN = new RegExp(String.raw`\{\{(${TOKEN_TEXT})(\}\})?`, 'g');
const MOST_PARTS = 3;

/** What of a layout cannot be printed. */
export function layoutProblems(layout: LayoutDto, names: TemplateNames): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const add = (member: string, message: string) =>
    void problems.push({ param: `layout.${member}`, code: 'invalid_value', message: `layout.${member} ${message}` });
  for (const side of ['width_mm', 'height_mm'] as const) {
    if (layout.paper === 'custom' && layout[side] === null) add(side, 'is required for custom paper');
    if (layout.paper !== 'custom' && layout[side] !== null) add(side, 'is only for custom paper');
  }
  const room = textSize(pageSize(layout));
  const millimeters = (points: number) => Math.ceil((points * 25.4) / 72);
  if (room.width < LEAST_TEXT.width)
    add('margin_left_mm', `and margin_right_mm must leave ${millimeters(LEAST_TEXT.width)} mm of the width for the text`);
  if (room.height < LEAST_TEXT.height)
    add('margin_top_mm', `and margin_bottom_mm must leave ${millimeters(LEAST_TEXT.height)} mm of the height for the text`);
  for (const line of LINES) {
    const problem = lineProblem(layout[line] ?? '', names);
    if (problem !== null) add(line, problem);
  }
  return problems;
}

function lineProblem(text: string, names: TemplateNames): string | null {
  if (/[\r\n]/.test(text)) return 'must be one line';
  const parts = text.split('|');
  if (parts.length > MOST_PARTS) return `can have ${MOST_PARTS} parts, with two vertical bars between them`;
  for (const [written, inside, end] of parts.flatMap((part) => [...part.matchAll(TOKEN)])) {
    if (end === undefined) return `has the token ${written}, which is not closed: write }} after it`;
    if (COUNTERS.includes(inside.trim())) continue;
    const token = readToken(inside, names);
    if (typeof token === 'string') return `has the token ${written}: ${token}`;
    if (dividesByZero(token)) return `has the token ${written}: ${BY_ZERO}`;
    if (isBlock(token) || token.kind === 'signed_on' || token.kind === 'placed')
      return `has the token ${written}, which is only for the text`;
  }
  return null;
}
