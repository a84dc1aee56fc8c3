import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { CommonErrors, fieldsOf, type DomainError, type ErrorDetail } from '../../../kit/index.js';
import type { FieldSpec } from '../../../kit/internal.js';

/** Input that is valid for its DTO. */
export interface Validated<T> {
  value: T;
  /** Fields that the DTO does not declare, as dotted paths; they have no effect. */
  ignored: string[];
}

const WRONG_TYPE = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);
const MAX_DEPTH = 32;

/** Copies the fields of the DTO from a JSON body and lists the others. Throws if a field is invalid. */
export function validateBody<T extends object>(dto: Type<T>, input: unknown): Validated<T> {
  if (!isObject(input)) throw CommonErrors.invalidBody();
  const details: ErrorDetail[] = [];
  const ignored: string[] = [];
  const value = copy(dto, input, '', details, ignored) as T;
  collect(
    validateSync(value, { stopAtFirstError: true, forbidUnknownValues: false, validationError: { target: false, value: false } }),
    dto,
    '',
    details,
  );
  if (details.length > 0) throw validationError(details);
  return { value, ignored };
}

/** One error that names the first invalid field and lists all of them; missing fields come first. */
export function validationError(details: ErrorDetail[]): DomainError {
  const first = details.find(({ code }) => code === 'missing') ?? details[0];
  const error = details.some(({ code }) => code === 'missing') ? CommonErrors.missingFields : CommonErrors.validationFailed;
  return error({ message: first.message, param: first.param, allowed: first.allowed, details });
}

function copy(dto: Type, input: Record<string, unknown>, path: string, details: ErrorDetail[], ignored: string[]): object {
  const value = new dto() as Record<string, unknown>;
  const fields = fieldsOf(dto);
  for (const [name, spec] of fields) {
    // own properties only: nothing may be read from Object.prototype
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    const param = path + name;
    if (given === undefined) {
      if (spec.required ?? true) details.push({ param, code: 'missing', message: `${param} is required` });
    } else if (given === null) {
      if (spec.nullable) value[name] = null;
      else details.push({ param, code: 'wrong_type', message: `${param} must not be null` });
    } else {
      value[name] = copyField(spec, given, param, details, ignored);
    }
  }
  for (const name of Object.keys(input)) if (!fields.has(name)) ignored.push(path + name);
  return value;
}

function copyField(spec: FieldSpec, given: unknown, param: string, details: ErrorDetail[], ignored: string[]): unknown {
  if ((spec.kind === 'map' || spec.kind === 'text_or_map') && depth(given) > MAX_DEPTH)
    details.push({ param, code: 'invalid_value', message: `${param} must not be nested more than ${MAX_DEPTH} levels deep` });
  const type = spec.type?.();
  if (!type) return given;
  const nested = (item: unknown, at: string) => (isObject(item) ? copy(type, item, `${at}.`, details, ignored) : item);
  if (!spec.list) return nested(given, param);
  return Array.isArray(given) ? given.map((item, index) => nested(item, `${param}.${index}`)) : given;
}

function collect(errors: ValidationError[], dto: Type | undefined, path: string, details: ErrorDetail[]): void {
  for (const error of errors) {
    const param = path + error.property;
    if (details.some((detail) => detail.param === param)) continue;
    const spec = dto && fieldsOf(dto).get(error.property);
    for (const [rule, text] of Object.entries(error.constraints ?? {})) {
      // class-validator's own decorators start the message with the property name
      const reason = text.startsWith(`${error.property} `) ? text.slice(error.property.length + 1) : text;
      details.push({
        param,
        code: WRONG_TYPE.has(rule) ? 'wrong_type' : 'invalid_value',
        message: `${param} ${reason}`,
        ...(spec?.kind === 'enum' ? { allowed: spec.values } : {}),
      });
    }
    // the items of an array have their index as property, and the array's DTO
    const inner = spec?.type?.() ?? dto;
    collect(error.children ?? [], inner, `${param}.`, details);
  }
}

function depth(value: unknown): number {
  let level = 0;
  for (let layer: unknown[] = [value]; layer.length > 0 && level <= MAX_DEPTH; level++) {
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return level;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
