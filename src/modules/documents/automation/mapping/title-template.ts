import { firstCharacters, invalid, isLongerThan } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import { PATH } from './event-root.js';

const TOKEN = /\{\{\s*([^{}]*?)\s*\}\}/g;
const LONGEST = 255;

/** Why a text is not a valid title template with `{{path}}` placeholders; null if it is. */
export function titleProblem(template: string): string | null {
  const wrong = [...template.matchAll(TOKEN)].find(([, path]) => !PATH.test(path));
  if (wrong) return `contains ${wrong[0]}, which is not a path such as {{deal.name}}`;
  return /\{\{|\}\}/.test(template.replace(TOKEN, '')) ? 'contains {{ or }} without its counterpart' : null;
}

/** The paths of a valid template. */
export function pathsIn(template: string): string[] {
  return [...template.matchAll(TOKEN)].map(([, path]) => path);
}

/** Renders the title for an event; missing values are omitted. Throws if the title is empty and truncates it if it is too long. */
export function titleOf(template: string, root: Record<string, unknown>): { title: string; isCut: boolean } {
  const text = template
    .replace(TOKEN, (_, path: string) => textOf(valueAt(root, path)))
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') throw invalid('title_template', 'gives an empty title for this event');
  return isLongerThan(text, LONGEST)
    ? { title: `${firstCharacters(text, LONGEST - 1).toWellFormed()}…`, isCut: true }
    : { title: text, isCut: false };
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}
