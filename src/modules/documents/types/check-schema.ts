import { isCurrency, isLongerThan, isObject, type ErrorDetail } from '../../../kit/index.js';
import { BARCODES } from '../model/core/barcodes.js';
import { calculationProblems } from '../model/core/calculated-values.js';
import { LONGEST_PATTERN, type FieldSchema } from '../model/core/field-schema.js';
import { defaultProblem, formatProblem, schemaProblem } from '../model/core/data-values.js';

type Json = Record<string, unknown>;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const SCALARS = ['string', 'number', 'integer', 'boolean'];
const FORMATS = ['money', 'phone', 'party', 'user', 'image', ...BARCODES];
const ROOT_KEYWORDS = new Set(['$schema', 'type', 'title', 'description', 'properties', 'required', 'additionalProperties']);
const LABELS = ['title', 'description', 'default', 'examples', 'x-label', 'x-order'];
const ARRAY_KEYWORDS = new Set([...LABELS, 'type', 'items', 'minItems', 'maxItems']);
const SCALAR_KEYWORDS = new Set([
  ...LABELS,
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'x-format',
  'x-currency',
  'x-total',
  'x-calculated',
]);
const MOST_FIELDS = 300;

/** What in a field schema is outside the subset that forms and templates can show. */
export function schemaProblems(schema: Json, at: string): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const add = (param: string, message: string, allowed?: readonly string[]) =>
    void problems.push({ param, code: 'invalid_value', message: `${param} ${message}`, allowed });

  checkObject(schema, at, ROOT_KEYWORDS, (property, param) => {
    if (property.type !== 'array') return checkScalar(property, param);
    onlyKeywords(property, param, ARRAY_KEYWORDS);
    const items = property.items;
    if (!isObject(items) || items.type !== 'object') return add(`${param}.items`, 'must be an object with properties');
    checkObject(items, `${param}.items`, ROOT_KEYWORDS, checkScalar);
  });
  if (problems.length > 0) return problems;
  const problem = schemaProblem(schema);
  if (problem !== null) add(at, `is not a valid JSON Schema: ${problem}`);
  else {
    eachProperty(schema, at, checkGiven);
    for (const { path, message } of calculationProblems(schema as unknown as FieldSchema))
      add(`${at}.properties.${path.replace('.', '.items.properties.')}.x-calculated`, message);
  }
  return problems;

  function checkGiven(property: Json, param: string): void {
    const wrong = defaultProblem(property);
    if (wrong !== null) add(`${param}.default`, wrong);
    const values = Array.isArray(property.enum) ? (property.enum as unknown[]) : [];
    for (const [at, value] of [...values.map((one, index) => [`enum.${index}`, one] as const), ['const', property.const] as const]) {
      const problem = formatProblem(property, value);
      if (problem !== null) add(`${param}.${at}`, problem);
    }
  }

  function checkObject(
    object: Json,
    param: string,
    keywords: ReadonlySet<string>,
    checkProperty: (property: Json, param: string) => void,
  ): void {
    onlyKeywords(object, param, keywords);
    if (object.type !== 'object') add(`${param}.type`, 'must be object', ['object']);
    if (!isObject(object.properties)) return add(`${param}.properties`, 'must be a JSON object');
    const names = Object.keys(object.properties);
    if (names.length > MOST_FIELDS) add(`${param}.properties`, `must contain at most ${MOST_FIELDS} fields`);
    for (const [name, property] of Object.entries(object.properties)) {
      const inside = `${param}.properties.${name}`;
      if (!NAME.test(name)) add(inside, 'must have a name of letters, digits and underscores that starts with a letter');
      else if (isObject(property)) {
        checkProperty(property, inside);
        checkCurrency(property, inside, object.properties);
      } else add(inside, 'must be a JSON object');
    }
    const required = object.required ?? [];
    if (!Array.isArray(required)) return add(`${param}.required`, 'must be an array');
    const unknown = required.find((name) => typeof name !== 'string' || !names.includes(name));
    if (unknown !== undefined) add(`${param}.required`, `names ${String(unknown)}, which is not a property`);
    const properties = object.properties as Record<string, Json | undefined>;
    const calculated = (required as string[]).find(
      (name) => Object.hasOwn(properties, name) && properties[name]?.['x-calculated'] !== undefined,
    );
    if (calculated !== undefined) add(`${param}.required`, `names ${calculated}, which is calculated: require what it is calculated from`);
  }

  function checkScalar(property: Json, param: string): void {
    onlyKeywords(property, param, SCALAR_KEYWORDS);
    if (!SCALARS.includes(property.type as string))
      return add(`${param}.type`, `must be ${SCALARS.join(', ')} or, at the top level, array`, [...SCALARS, 'array']);
    const format = property['x-format'];
    if (format !== undefined && !FORMATS.includes(format as string)) add(`${param}.x-format`, `must be ${FORMATS.join(', ')}`, FORMATS);
    else if (format === 'money' && property.type !== 'integer')
      add(`${param}.type`, 'must be integer for money: amounts count minor units');
    else if (format !== undefined && format !== 'money' && property.type !== 'string')
      add(`${param}.type`, `must be string for ${String(format)}`);
    if (property['x-total'] !== undefined) {
      if (typeof property['x-total'] !== 'boolean') add(`${param}.x-total`, 'must be true or false');
      else if (!param.includes('.items.properties.')) add(`${param}.x-total`, 'is only for the columns of a table');
      else if (property.type !== 'integer' && property.type !== 'number') add(`${param}.x-total`, 'needs the type number or integer');
    }
    if (property['x-calculated'] !== undefined) {
      if (typeof property['x-calculated'] !== 'string') add(`${param}.x-calculated`, 'must be an expression, such as "quantity * price"');
      if (property.default !== undefined) add(`${param}.default`, 'is not for a field that is calculated');
    }
    if (typeof property.pattern === 'string' && isLongerThan(property.pattern, LONGEST_PATTERN))
      add(`${param}.pattern`, `must be at most ${LONGEST_PATTERN} characters long`);
  }

  function checkCurrency({ 'x-currency': currency, 'x-format': format }: Json, param: string, siblings: Json): void {
    if (currency === undefined) return;
    const fields = param.includes('.items.properties.') && isObject(schema.properties) ? { ...schema.properties, ...siblings } : siblings;
    const named = typeof currency === 'string' && Object.hasOwn(fields, currency) ? fields[currency] : undefined;
    if (format !== 'money') add(`${param}.x-currency`, 'is only for the x-format money');
    else if (isObject(named) ? named.type !== 'string' : !isCurrency(String(currency)))
      add(
        `${param}.x-currency`,
        'must be an ISO 4217 currency code, or the name of a string property of the row or document that holds one',
      );
  }

  function onlyKeywords(object: Json, param: string, known: ReadonlySet<string>): void {
    for (const keyword of Object.keys(object))
      if (!known.has(keyword)) add(`${param}.${keyword}`, 'is a keyword that field schemas do not support');
  }
}

/** Calls `check` for each field and each column of a table of a valid schema. */
export function eachProperty(schema: Json, at: string, check: (property: Json, param: string) => void): void {
  for (const [name, property] of Object.entries(schema.properties as Record<string, Json>)) {
    check(property, `${at}.properties.${name}`);
    if (isObject(property.items)) eachProperty(property.items, `${at}.properties.${name}.items`, check);
  }
}
