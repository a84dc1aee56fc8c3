import { isObject } from '../values/is-object.js';
import { NOT_BLANK } from './field-schema.js';
import type { FieldSpec } from './field-specification.js';
import { decimalPattern } from '../values/decimals.js';
import { isCalendarDay, isComparableDay, isComparableInstant, isEmailAddress, isInstant, isLongerThan, isUuid } from '../values/formats.js';

/** A broken rule; the message continues the sentence that the field's name begins. */
interface Breach {
  code: 'wrong_type' | 'invalid_value';
  message: string;
}

type Rule = (value: unknown) => Breach | null;

const DEEPEST = 32;
const VISIBLE = new RegExp(NOT_BLANK);

const rules = new WeakMap<FieldSpec, Rule>();

/** Checks one value of the field, or one item if the field is a list. Cheap checks of type and size come first. */
export function ruleOf(spec: FieldSpec): Rule {
  let rule = rules.get(spec);
  if (!rule) rules.set(spec, (rule = compile(spec)));
  return rule;
}

const wrongType = (message: string): Breach => ({ code: 'wrong_type', message });
const invalid = (message: string): Breach => ({ code: 'invalid_value', message });

const NO_TEXT = wrongType('must be a string');
const NO_INTEGER = wrongType('must be a whole number, without a decimal point, an exponent or thousands separators');
const NO_AMOUNT = wrongType('must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY');
const NO_OBJECT = wrongType('must be a JSON object');
/** PostgreSQL cannot store such text: without this check the write would fail with a 500 or change the text. */
const UNSTORABLE = invalid('must not contain the NUL character or an unpaired surrogate');
const TOO_DEEP = invalid(`must not be nested more than ${DEEPEST} levels deep`);

function compile(spec: FieldSpec): Rule {
  switch (spec.kind) {
    case 'string':
      return stringRule(spec);
    case 'uuid': {
      if (spec.orKey === undefined) return formatRule(isUuid, invalid('must be a UUID'));
      const key = new RegExp(spec.orKey.pattern);
      return formatRule((text) => isUuid(text) || key.test(text), invalid(`must be a UUID or a key such as ${spec.orKey.example}`));
    }
    case 'email': {
      const tooLong = longerThan(spec.maxLength);
      return formatRule((text) => isEmailAddress(text), invalid('must be an e-mail address'), tooLong);
    }
    case 'integer':
      return numberRule(spec, Number.isInteger, spec.isAmount ? NO_AMOUNT : NO_INTEGER);
    case 'number':
      return numberRule(spec, Number.isFinite, wrongType('must be a number'));
    case 'decimal':
      return decimalRule(spec);
    case 'boolean': {
      const breach = wrongType('must be true or false');
      return (value) => (typeof value === 'boolean' ? null : breach);
    }
    case 'date': {
      if (isBound(spec)) return formatRule(isComparableDay, invalid('must be a calendar date as YYYY-MM-DD, in the years 1 to 9999'));
      const breach = invalid('must be a calendar date as YYYY-MM-DD, in the years 1000 to 9999');
      return (value) => (isCalendarDay(value) ? null : breach);
    }
    case 'date_time': {
      if (isBound(spec)) {
        const breach = invalid('must be an RFC 3339 time with an offset, for example 2026-11-21T09:30:00Z, in the years 1 to 9999');
        return formatRule(isComparableInstant, breach);
      }
      const breach = invalid('must be an RFC 3339 time with an offset, for example 2026-11-21T09:30:00Z, in the years 1000 to 9999');
      return (value) => (isInstant(value) ? null : breach);
    }
    case 'enum': {
      const values = new Set<unknown>(spec.values);
      const breach = invalid(`must be one of ${[...values].join(', ')}`);
      return (value) => (values.has(value) ? null : breach);
    }
    case 'object':
      return (value) => (isObject(value) ? null : NO_OBJECT);
    case 'map':
      return mapRule(spec);
    case 'value': {
      const breach = wrongType('must be a string, a number, true, false or an array of strings');
      return (value) => (isPlainValue(value) ? ([value].flat().map(unstorableValue).find(Boolean) ?? null) : breach);
    }
    case 'text_or_map': {
      const map = mapRule(spec);
      const tooLong = longerThan(spec.maxLength);
      const neither = wrongType('must be a string or a JSON object');
      return (value) => (typeof value === 'string' ? (tooLong(value) ?? unstorable(value)) : isObject(value) ? map(value) : neither);
    }
  }
}

/** Whether a filter only compares the value. */
function isBound({ filter, isBound: isDeclared = false }: FieldSpec): boolean {
  return isDeclared || filter?.operator === 'from' || filter?.operator === 'before';
}

type TextRule = (text: string) => Breach | null;

function longerThan(maxLength: number | undefined): TextRule {
  if (maxLength === undefined) return () => null;
  const breach = invalid(`must be at most ${maxLength} characters long`);
  return (text) => (isLongerThan(text, maxLength) ? breach : null);
}

function shorterThan(minLength: number): TextRule {
  const breach = invalid(minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters long`);
  return (text) => (text.length < minLength || (text.length < 2 * minLength && [...text].length < minLength) ? breach : null);
}

function stringRule({ minLength, maxLength, pattern, patternInWords }: FieldSpec): Rule {
  const checks: TextRule[] = [longerThan(maxLength)];
  if (minLength) {
    checks.push(shorterThan(minLength));
    if (!pattern) checks.push(matching((text) => VISIBLE.test(text), invalid('must not be blank')));
  }
  if (pattern) {
    const expression = new RegExp(pattern);
    checks.push(
      matching(
        (text) => expression.test(text),
        invalid(patternInWords === undefined ? `must match ${pattern}` : `must be ${patternInWords}`),
      ),
    );
  }
  checks.push(unstorable);
  return (value) => {
    if (typeof value !== 'string') return NO_TEXT;
    for (const check of checks) {
      const breach = check(value);
      if (breach) return breach;
    }
    return null;
  };
}

function matching(fits: (text: string) => boolean, breach: Breach): TextRule {
  return (text) => (fits(text) ? null : breach);
}

function formatRule(fits: (text: string) => boolean, breach: Breach, tooLong: TextRule = () => null): Rule {
  return (value) => (typeof value !== 'string' ? NO_TEXT : (tooLong(value) ?? (fits(value) ? null : breach)));
}

/** An integer in a string that a double does not represent exactly. */
const LONG_INTEGER = /^[+-]?[1-9]\d{15,}$/;

function numberRule({ minimum, maximum }: FieldSpec, fits: (value: unknown) => boolean, breach: Breach): Rule {
  const tooSmall = invalid(`must be ${minimum} or more`);
  const tooLarge = invalid(`must be ${maximum} or less`);
  const tooLow = invalid(`must be ${Math.max(minimum ?? -Infinity, Number.MIN_SAFE_INTEGER)} or more`);
  const tooHigh = invalid(`must be ${Math.min(maximum ?? Infinity, Number.MAX_SAFE_INTEGER)} or less`);
  return (value) => {
    if (typeof value === 'string' && LONG_INTEGER.test(value)) return value.startsWith('-') ? tooLow : tooHigh;
    if (!fits(value)) return breach;
    if (minimum !== undefined && (value as number) < minimum) return tooSmall;
    return maximum !== undefined && (value as number) > maximum ? tooLarge : null;
  };
}

function decimalRule({ decimal, example }: FieldSpec): Rule {
  const { digits, places, sign } = decimal!;
  const expression = new RegExp(decimalPattern(decimal!));
  const noText = wrongType(`must be a decimal number in a string, such as ${JSON.stringify(example)}`);
  const range = { any: '', not_negative: ' that is not negative', positive: ' greater than 0' }[sign];
  const breach = invalid(`must be a decimal number${range} with up to ${digits} digits before and ${places} after the point`);
  return (value) => (typeof value !== 'string' ? noText : expression.test(value) ? null : breach);
}

function mapRule({ maxProperties, looksLike }: FieldSpec): Rule {
  const noObject = looksLike === undefined ? NO_OBJECT : wrongType(`must be a JSON object, as ${looksLike}`);
  const tooMany = invalid(`must have at most ${maxProperties} members`);
  return (value) => {
    if (!isObject(value)) return noObject;
    if (maxProperties !== undefined && Object.keys(value).length > maxProperties) return tooMany;
    return contentBreach(value);
  };
}

/** Checks what a JSON object contains at any depth, member names included. */
function contentBreach(map: object): Breach | null {
  let layer: object[] = [map];
  for (let level = 0; layer.length > 0; level++) {
    if (level === DEEPEST) return TOO_DEEP;
    const next: object[] = [];
    for (const container of layer) {
      for (const [name, member] of Object.entries(container) as [string, unknown][]) {
        if (!isStorable(name)) return UNSTORABLE;
        if (typeof member === 'string' && !isStorable(member)) return UNSTORABLE;
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    layer = next;
  }
  return null;
}

function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function unstorableValue(value: unknown): Breach | null {
  return typeof value === 'string' ? unstorable(value) : null;
}

function unstorable(text: string): Breach | null {
  return isStorable(text) ? null : UNSTORABLE;
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
