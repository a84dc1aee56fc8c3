import { Type as TransformType } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import type { FieldSpec } from './field-specification.js';
import { NOT_BLANK } from './field-schema.js';
import { isCalendarDay, isInstant, UUID_PATTERN } from './formats.js';

type Rule = (options: ValidationOptions) => PropertyDecorator;

/**
 * The class-validator decorators of a field. Messages omit the field's name because the validation pipe prepends the dotted
 * path. Only the first failing rule is reported, so the type check comes first.
 */
export function validatorsOf(spec: FieldSpec): PropertyDecorator[] {
  const each = spec.list !== undefined;
  const rules = rulesOf(spec).map(([rule, message]) =>
    rule({ each, message: each ? `must contain only items that ${message.replace(/^must be/, 'are').replace(/^must/, 'each')}` : message }),
  );
  if (spec.list) {
    const { minItems = 0, maxItems, repeats } = spec.list;
    rules.push(ArrayMaxSize(maxItems, { message: `must contain at most ${maxItems} items` }));
    if (minItems > 0) rules.push(ArrayMinSize(minItems, { message: `must contain at least ${minItems} items` }));
    if (!repeats) rules.push(ArrayUnique({ message: 'must not repeat an item' }));
    rules.unshift(IsArray({ message: 'must be an array' }));
  }
  if (spec.type) rules.push(ValidateNested({ each }), TransformType(spec.type));
  // the validation pipe checks null and missing values itself, because patches and creations differ there
  rules.push(IsOptional());
  return rules;
}

/** PostgreSQL cannot store such text: without this check the write would fail with a 500 or change the text. */
const STORABLE: [Rule, string] = [
  (o) => ValidateBy({ name: 'isStorableText', validator: { validate: isStorable } }, o),
  'must not contain the NUL character or an unpaired surrogate',
];

function rulesOf(spec: FieldSpec): [Rule, string][] {
  switch (spec.kind) {
    case 'string':
      return stringRules(spec);
    case 'uuid':
      return [
        [IsString, 'must be a string'],
        [(o) => Matches(new RegExp(UUID_PATTERN), o), 'must be a lowercase UUID'],
      ];
    case 'email':
      return [
        [IsString, 'must be a string'],
        [(o) => IsEmail({}, o), 'must be an e-mail address'],
      ];
    case 'integer':
      return [[IsInt, 'must be a whole number'], ...rangeRules(spec)];
    case 'number':
      return [[(o) => IsNumber({}, o), 'must be a number'], ...rangeRules(spec)];
    case 'boolean':
      return [[IsBoolean, 'must be true or false']];
    case 'date':
      return [
        [(o) => ValidateBy({ name: 'isCalendarDay', validator: { validate: isCalendarDay } }, o), 'must be a calendar date as YYYY-MM-DD'],
      ];
    case 'date_time':
      return [
        [
          (o) => ValidateBy({ name: 'isInstant', validator: { validate: isInstant } }, o),
          'must be an RFC 3339 time with an offset, for example 2026-11-21T09:30:00Z',
        ],
      ];
    case 'enum':
      return [[(o) => IsIn([...(spec.values ?? [])], o), `must be one of ${(spec.values ?? []).join(', ')}`]];
    case 'object':
      return [[IsObject, 'must be a JSON object']];
    case 'map':
      return [[IsObject, 'must be a JSON object'], STORABLE];
    case 'text_or_map':
      return [
        [
          (o) => ValidateBy({ name: 'isTextOrMap', validator: { validate: (value) => isTextOrMap(value, spec.maxLength ?? Infinity) } }, o),
          `must be a string of at most ${spec.maxLength} characters or a JSON object`,
        ],
        STORABLE,
      ];
  }
}

function stringRules(spec: FieldSpec): [Rule, string][] {
  const rules: [Rule, string][] = [[IsString, 'must be a string']];
  if (spec.maxLength !== undefined)
    rules.push([(o) => MaxLength(spec.maxLength as number, o), `must be at most ${spec.maxLength} characters long`]);
  if (spec.minLength) {
    rules.push([
      (o) => MinLength(spec.minLength as number, o),
      spec.minLength === 1 ? 'must not be empty' : `must be at least ${spec.minLength} characters long`,
    ]);
    if (!spec.pattern) rules.push([(o) => Matches(new RegExp(NOT_BLANK), o), 'must not be blank']);
  }
  if (spec.pattern) rules.push([(o) => Matches(new RegExp(spec.pattern as string), o), `must match ${spec.pattern}`]);
  rules.push(STORABLE);
  return rules;
}

function rangeRules(spec: FieldSpec): [Rule, string][] {
  const rules: [Rule, string][] = [];
  if (spec.minimum !== undefined) rules.push([(o) => Min(spec.minimum as number, o), `must be ${spec.minimum} or more`]);
  if (spec.maximum !== undefined) rules.push([(o) => Max(spec.maximum as number, o), `must be ${spec.maximum} or less`]);
  return rules;
}

function isTextOrMap(value: unknown, maxLength: number): boolean {
  if (typeof value === 'string') return value.length <= maxLength;
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether PostgreSQL can store every string in a JSON value, member names included. */
function isStorable(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string' && (item.includes('\u0000') || !item.isWellFormed())) return false;
    if (typeof item === 'object' && item !== null) pending.push(...Object.keys(item), ...Object.values(item));
  }
  return true;
}
