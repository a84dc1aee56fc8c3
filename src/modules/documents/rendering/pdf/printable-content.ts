import { CommonErrors, type ErrorDetail } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import { labelOf, type FieldSchema } from '../../model/core/field-schema.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { contentTokens, type DocumentContent } from '../content/document-content.js';
import { defaultTemplate, readToken } from '../content/document-template.js';

type Text = [param: string, text: string];

const SHOWN = 5;
/** Latin letters with their marks, dashes and quotes, which every font of ours has: most texts need no font loaded to be known as printable. */
const PLAIN = /^[\t\n\r\x20-\x7e\u00a0-\u017f\u2010-\u2027\u20ac]*$/;
const TOKENS = /\{\{([^{}|\n]*)\}\}/g;

/** What is printed of a type, on its documents and on their certificates. */
type PrintedType = Pick<TypeDefinition, 'template' | 'field_schema' | 'signature_parties'>;

/** Refuses a document that is too long for a PDF, or of which one cannot show everything, naming each field at fault. */
export async function requirePrintable(content: DocumentContent, type: PrintedType): Promise<void> {
  contentTokens(content);
  const { document, template, schema, values } = content;
  const shown = new Set([
    ...fieldsOf(template ?? defaultTemplate(schema), schema),
    ...type.signature_parties.map(({ name_from }) => name_from),
  ]);
  const texts = [...shown].flatMap((path) => textsIn(valueAt(values, path), `data_values.${path}`));
  await refuse([['title', document.title], ['document.number', document.number ?? ''], ...texts, ...textsOfType(type)]);
}

/** The same for what the documents of a type have in common. */
export async function requirePrintableType(type: PrintedType): Promise<void> {
  await refuse(textsOfType(type));
}

/** Why text cannot stand in a PDF, with its first characters that the fonts lack; null when it can. */
export async function printProblem(text: string): Promise<string | null> {
  if (PLAIN.test(text)) return null;
  const { unprintable } = await import('./pdf-fonts.js');
  const lacking = await unprintable(text);
  return lacking.length === 0
    ? null
    : `has characters that cannot be printed: ${lacking.slice(0, SHOWN).join(' ')}${lacking.length > SHOWN ? ' …' : ''}`;
}

async function refuse(texts: readonly Text[]): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const [param, text] of texts) {
    const problem = await printProblem(text);
    if (problem !== null) details.push({ param, code: 'unprintable', message: `${param} ${problem}` });
  }
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}

/** The labels of fields stand in the default layout, and over the columns of tables. */
function textsOfType({ template, field_schema, signature_parties }: PrintedType): Text[] {
  const tables = Object.entries(field_schema.properties).flatMap(([name, property]) =>
    property.type === 'array' ? [[name, property] as const] : [],
  );
  const columns = tables.flatMap(([name, { items }]) =>
    Object.entries(items.properties).map(([column, property]): Text => [
      `field_schema.properties.${name}.items.properties.${column}`,
      labelOf(column, property),
    ]),
  );
  const parties = signature_parties.map(({ label }, index): Text => [`signature_parties.${index}.label`, label]);
  return [template === null ? ['field_schema', defaultTemplate(field_schema)] : ['template', template], ...columns, ...parties];
}

/** The fields that the template shows; what it does not show need not be printable. */
function fieldsOf(template: string, schema: FieldSchema): Set<string> {
  const tokens = [...template.matchAll(TOKENS)].map(([, inside]) => readToken(inside, schema));
  return new Set(tokens.flatMap((token) => (typeof token === 'string' || token.kind === 'built_in' ? [] : [token.name])));
}

function textsIn(value: unknown, path: string): Text[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${path}.${name}`));
}
