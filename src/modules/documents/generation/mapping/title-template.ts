import { CommonErrors } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import { PATH } from './event-root.js';

const TOKEN = /\{\{\s*([^{}]*?)\s*\}\}/g;
const LONGEST = 255;

/** What in a title template is no text with `{{paths}}`; null when it is one. */
export function titleProblem(template: string): string | null {
  const wrong = [...template.matchAll(TOKEN)].find(([, path]) => !PATH.test(path));
  if (wrong) return `holds ${wrong[0]}, which is no path such as {{deal.name}}`;
  return /\{\{|\}\}/.test(template.replace(TOKEN, '')) ? 'holds {{ or }} without the other' : null;
}

/** The title that an event makes; what it does not say is left out. Empty, it is refused; too long, it is cut. */
export function titleOf(template: string, root: Record<string, unknown>): { title: string; isCut: boolean } {
  const text = template
    .replace(TOKEN, (_, path: string) => textOf(valueAt(root, path)))
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '')
    throw CommonErrors.validationFailed({ param: 'title_template', message: 'title_template gives an empty title for this event' });
  return text.length > LONGEST ? { title: `${text.slice(0, LONGEST - 1).toWellFormed()}…`, isCut: true } : { title: text, isCut: false };
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}
