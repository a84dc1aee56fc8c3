import { hash } from 'node:crypto';
import { CommonErrors, validationError, type ErrorDetail, type Tx } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import { imagesIn } from '../../model/core/images.js';
import { labelOf } from '../../model/core/field-schema.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { contentTokens, type DocumentContent } from '../content/document-content.js';
import { PLAIN } from '../typst/plain-characters.js';
import { defaultTemplate, fieldsOf } from '../content/document-template.js';
import { typesOf } from '../content/module-tokens.js';

type Text = [param: string, text: string];

const SHOWN = 5;
let glyphs: typeof import('../typst/glyphs.js') | undefined;

/** The printed parts of a type: on its documents and their certificates. */
type PrintedType = Pick<TypeDefinition, 'template' | 'field_schema' | 'signature_parties'> & Partial<Pick<TypeDefinition, 'layout'>>;

/** Rejects documents that are too long for a PDF or contain characters that the fonts lack. The error names each field. */
export async function requirePrintable(tx: Tx, content: DocumentContent, type: PrintedType): Promise<void> {
  contentTokens(content);
  requireImages(content);
  const { document, template, schema, values, tokens = {} } = content;
  const shown = new Set([
    ...fieldsOf([template ?? defaultTemplate(schema), ...linesOf(type)].join('\n\n'), {
      schema,
      parties: content.parties.map(({ key }) => key),
      tokens: typesOf(tokens),
    }),
    ...type.signature_parties.map(({ name_from }) => name_from),
  ]);
  const texts = [...shown].flatMap((path) => textsIn(valueAt(values, path), `data_values.${path}`));
  const named = Object.entries(tokens).map(([name, { value }]): Text => [`token_values.${name}`, String(value ?? '')]);
  await rejectUnprintable(tx, [
    ['title', document.title],
    ['document.number', document.number ?? ''],
    ...texts,
    ...named,
    ...textsOfType(type),
  ]);
}

/** Rejects values that name pictures which were not uploaded to the project. */
function requireImages({ schema, values, images = {} }: DocumentContent): void {
  const details = imagesIn(schema, values)
    .filter(([, reference]) => !Object.hasOwn(images, reference))
    .map(([path]): ErrorDetail => {
      const param = `data_values.${path}`;
      return { param, code: 'invalid_value', message: `${param} names a picture that was not uploaded to the project of the document` };
    });
  if (details.length > 0) throw validationError(details);
}

/** Rejects types whose template or labels contain characters that the fonts lack. */
export function requirePrintableType(tx: Tx, type: PrintedType): Promise<void> {
  return rejectUnprintable(tx, textsOfType(type));
}

/** Why a text cannot be printed in a PDF, with the first characters that the fonts lack. Null if it can. */
export async function printProblem(text: string): Promise<string | null> {
  return isPlain(text) ? null : problemOf(await lackingIn(text));
}

/**
 * Why each of the texts cannot be printed, or null, for a transaction. If they need fonts that this process has not read yet, the change
 * runs again, as for `prepared`.
 */
export async function printProblems(tx: Tx, texts: readonly string[]): Promise<(string | null)[]> {
  const special = [...new Set(texts.filter((text) => !isPlain(text)))];
  const known = special.map((text) => glyphs?.knownUnprintable(text) ?? null);
  const lacking = known.every((characters) => characters !== null)
    ? known
    : await tx.advanced.prepared(`fonts for ${hash('sha256', JSON.stringify(special))}`, () => Promise.all(special.map(lackingIn)));
  const problems = new Map(special.map((text, index) => [text, problemOf(lacking[index])]));
  return texts.map((text) => problems.get(text) ?? null);
}

async function lackingIn(text: string): Promise<string[]> {
  // the package that reads fonts takes a tenth of a second to load
  glyphs ??= await import('../typst/glyphs.js');
  return glyphs.unprintable(text);
}

function problemOf(lacking: readonly string[]): string | null {
  return lacking.length === 0
    ? null
    : `has characters that cannot be printed: ${lacking.slice(0, SHOWN).join(' ')}${lacking.length > SHOWN ? ' …' : ''}`;
}

function isPlain(text: string): boolean {
  return PLAIN.test(text.replace(/[\t\r]/g, ' '));
}

async function rejectUnprintable(tx: Tx, texts: readonly Text[]): Promise<void> {
  const problems = await printProblems(
    tx,
    texts.map(([, text]) => text),
  );
  const details = texts.flatMap(([param], index): ErrorDetail[] => {
    const problem = problems[index];
    return problem === null ? [] : [{ param, code: 'unprintable', message: `${param} ${problem}` }];
  });
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}

/** Field labels are printed in the default layout and in the headers of tables. */
function textsOfType({ template, field_schema, signature_parties, layout }: PrintedType): Text[] {
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
  const lines = linesOf({ layout }).map((line): Text => ['layout', line]);
  return [template === null ? ['field_schema', defaultTemplate(field_schema)] : ['template', template], ...columns, ...parties, ...lines];
}

/** The headers and footers that a layout has. */
export function linesOf({ layout }: Pick<PrintedType, 'layout'>): string[] {
  const { header, footer, first_header, first_footer } = layout ?? {};
  return [header, footer, first_header, first_footer].filter((line) => typeof line === 'string');
}

function textsIn(value: unknown, path: string): Text[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${path}.${name}`));
}
