import { _, Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { isMultipleOf } from '../values/decimals.js';
import { isCalendarDay, isInstantTime } from '../values/formats.js';

// its types are those of a CommonJS module
const formats = addFormats as unknown as ((ajv: Ajv2020) => void) & { get: (name: string) => { validate: (text: string) => boolean } };
const withOffset = formats.get('date-time');

/** Also with a space or a short offset, but always a time that can be shown. */
function isTime(text: string): boolean {
  return withOffset.validate(text) && isCalendarDay(text.slice(0, 10)) && isInstantTime(Date.parse(text));
}

/** Patterns come from users, so they run on RE2, whose time is linear in the length of the text. */
function linearPattern(source: string): { test: (text: string) => boolean; toString: () => string } {
  const compiled = RE2JS.compile(source);
  // Ajv takes patterns with the same text for the same pattern
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${source}/` };
}

class StrictSchemas extends Ajv2020 {
  private static checker: StrictSchemas | undefined;

  constructor() {
    super({
      allErrors: true,
      strict: true,
      strictRequired: false,
      code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) as never },
    });
    formats(this);
    this.removeKeyword('multipleOf');
    this.addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      schemaType: 'number',
      compile: (of: number) => (value: number) => isMultipleOf(value, of),
      error: { message: ({ schema }) => `must be a multiple of ${schema}`, params: ({ schema }) => _`{multipleOf: ${schema as number}}` },
    });
    this.addFormat('date', { type: 'string', validate: isCalendarDay });
    this.addFormat('date-time', { type: 'string', validate: isTime });
  }

  /** Compiling the meta-schema takes many times as long as compiling a user's schema, so one instance checks the schemas of all. */
  override validateSchema(...args: Parameters<Ajv2020['validateSchema']>): ReturnType<Ajv2020['validateSchema']> {
    const [schema] = args;
    // a meta-schema that a user names would stay in the shared instance
    if (typeof schema === 'object' && schema.$schema !== undefined) return super.validateSchema(...args);
    StrictSchemas.checker ??= new StrictSchemas();
    return this === StrictSchemas.checker ? super.validateSchema(...args) : StrictSchemas.checker.validateSchema(...args);
  }
}

/**
 * A compiler of JSON Schemas (2020-12) that users write: strict, with all errors and formats, and patterns on RE2. It keeps what it
 * compiled, so each schema has one of its own.
 *
 * @example
 * ```ts
 * import { strictSchemas } from 'work-suite/kit';
 *
 * const isColor = strictSchemas().compile({ type: 'string', enum: ['red', 'blue'] });
 * ```
 */
export function strictSchemas(): Ajv2020 {
  return new StrictSchemas();
}
