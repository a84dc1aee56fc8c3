import { isObject } from '../../../kit/index.js';
import type { ReferenceOperation } from './model.js';
import type { SampleRequest } from './sample-request.js';
import { isRestore } from './sample-values.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Calls download what such an argument names. */
const FILE_ADDRESS = /(^|[._])file_url$/;
const STATE = /(^|_)(state|status)$/;

/** What readers replace in the samples of an operation, in Markdown; null if the samples work as they are. */
export function replacementsOf(operation: ReferenceOperation, request: SampleRequest): string | null {
  const { path, sampleValues, conditions } = operation;
  const { body } = request;
  const sent: [string, unknown][] = [...Object.entries({ ...request.path, ...request.query }), ...(body ? valuesIn(body.value) : [])];
  const known = new Set(Object.values(sampleValues));
  const isInvented = ([name, value]: [string, unknown]) =>
    typeof value === 'string' && !known.has(value) && (UUID.test(value) || FILE_ADDRESS.test(name));
  const names = [
    ...sent.filter(isInvented).map(([name]) => name),
    ...conditions.sends.filter((name) => !(name in sampleValues)),
    ...(body && !body.type.startsWith('text/') && body.type !== 'application/json' ? ['file'] : []),
  ];
  if (names.length === 0) return null;
  const isOfRecord = Object.keys(request.path).some((name) => names.includes(name));
  return [
    `Replace ${inWords([...new Set(names)], 'and')} with your own.`,
    ...(isOfRecord && isRestore(path) ? ['The record must be deleted.'] : []),
    ...(isOfRecord
      ? Object.entries(conditions.fits)
          .filter(([name]) => STATE.test(name))
          .map(([name, values]) => `The record's \`${name}\` must be ${inWords([values].flat().map(String), 'or')}.`)
      : []),
  ].join(' ');
}

/** Texts with where they are, as `lines.item_id`. */
function valuesIn(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesIn(item, path));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => valuesIn(inner, path === '' ? name : `${path}.${name}`));
  return [[path, value]];
}

function inWords(names: readonly string[], conjunction: string): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.at(-1);
  return quoted.length === 1 ? last! : `${quoted.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
