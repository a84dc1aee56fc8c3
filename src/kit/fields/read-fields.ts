import type { Type } from '@nestjs/common';
import { canonicalOf } from './canonical-value.js';
import { ruleFaults } from './class-rules.js';
import { CommonErrors } from '../errors/common-errors.js';
import type { DomainError, ErrorDetail } from '../errors/errors.js';
import { ruleOf } from './field-rules.js';
import type { FieldSpec } from './field-specification.js';
import { fieldsOf } from './fields.js';
import { writtenValue } from './number-literals.js';

/** Validation stops after this many faults: a response lists fewer, and a body can have as many faults as values. */
const MOST_FAULTS = 100;
const MOST_IGNORED = 100;

/** An input with the fields of a DTO. */
export interface Reading<T> {
  value: T;
  /** What is wrong with the input, at most 100 faults; `value` must not be used unless this is empty. */
  faults: ErrorDetail[];
  /** The first 100 members that the DTO does not have, as dotted paths; they have no effect. */
  ignored: string[];
}

/**
 * Copies the fields of a DTO from a JSON object and checks them. Sizes are checked before what they bound is looked at.
 *
 * @example
 * ```ts
 * import { readFields, validationError } from 'work-suite/kit';
 * import { CreateTripDto } from './trip.dto.js';
 *
 * export function tripOf(answers: Record<string, unknown>) {
 *   const { value, faults } = readFields(CreateTripDto, answers);
 *   if (faults.length > 0) throw validationError(faults);
 *   return value;
 * }
 * ```
 */
export function readFields<T extends object>(dto: Type<T>, input: Record<string, unknown>): Reading<T> {
  const reader = new FieldReader();
  const value = reader.object(dto, input, '') as T;
  return { value, faults: reader.faults, ignored: reader.ignored };
}

/**
 * One error that names the first field at fault and lists all; absent fields come first.
 *
 * @example
 * ```ts
 * import { validationError } from 'work-suite/kit';
 *
 * throw validationError([{ param: 'items.0.quantity', code: 'invalid_value', message: 'items.0.quantity must be positive' }]);
 * ```
 */
export function validationError(details: ErrorDetail[]): DomainError {
  const first = details.find(({ code }) => code === 'missing') ?? details[0];
  const error = first.code === 'missing' ? CommonErrors.missingFields : CommonErrors.validationFailed;
  return error({ message: first.message, param: first.param, allowed: first.allowed, details });
}

/** Checks the items of a list field, or the one value of any other; null if they keep the field's rules. */
export function faultOf(spec: FieldSpec, value: unknown, param: string): ErrorDetail | null {
  const rule = ruleOf(spec);
  if (!spec.list) return faultFrom(spec, rule(value), param);
  if (!Array.isArray(value)) return { param, code: 'wrong_type', message: `${param} must be an array` };
  const { minItems = 0, maxItems, repeats } = spec.list;
  if (value.length > maxItems) return { param, code: 'invalid_value', message: `${param} must contain at most ${items(maxItems)}` };
  if (value.length < minItems) return { param, code: 'invalid_value', message: `${param} must contain at least ${items(minItems)}` };
  for (const item of value) {
    const breach = rule(item);
    if (!breach) continue;
    const requirement = breach.message.replace(/^must be/, 'are').replace(/^must/, 'each');
    return faultFrom(spec, { ...breach, message: `must contain only items that ${requirement}` }, param);
  }
  if (!repeats && new Set(value).size < value.length) return { param, code: 'invalid_value', message: `${param} must not repeat an item` };
  return null;
}

function faultFrom(spec: FieldSpec, breach: Pick<ErrorDetail, 'code' | 'message'> | null, param: string): ErrorDetail | null {
  if (!breach) return null;
  return {
    param,
    code: breach.code,
    message: `${param} ${breach.message}`,
    ...(spec.kind === 'enum' ? { allowed: spec.values } : {}),
  };
}

/** The items of a list that is too long are not converted. */
function canonical(spec: FieldSpec, sent: unknown): unknown {
  if (!spec.list || !Array.isArray(sent)) return canonicalOf(spec, sent);
  if (spec.kind === 'object' || sent.length > spec.list.maxItems) return sent;
  return sent.map((item: unknown, index) => canonicalOf(spec, writtenIn(sent, String(index), spec, item)));
}

function writtenIn(container: object, member: string, { kind }: FieldSpec, value: unknown): unknown {
  return kind === 'integer' ? writtenValue(container, member, value) : value;
}

class FieldReader {
  readonly faults: ErrorDetail[] = [];
  readonly ignored: string[] = [];

  object(dto: Type, input: Record<string, unknown>, path: string): object {
    const earlier = this.faults.length;
    const value = new dto() as Record<string, unknown>;
    const fields = fieldsOf(dto);
    for (const [name, spec] of fields) {
      if (this.isFull) return value;
      // own members only: a body must not read anything from Object.prototype
      const given = Object.hasOwn(input, name) ? input[name] : undefined;
      const param = path + name;
      if (given === undefined) {
        if (spec.required ?? true) this.add({ param, code: 'missing', message: `${param} is required` });
      } else if (given === null) {
        if (spec.nullable) value[name] = null;
        else this.add({ param, code: 'wrong_type', message: `${param} must not be null` });
      } else {
        value[name] = this.field(spec, writtenIn(input, name, spec, given), param);
      }
    }
    for (const name of Object.keys(input)) {
      if (fields.has(name)) continue;
      if (this.ignored.length >= MOST_IGNORED) break;
      this.ignored.push(path + name);
    }
    if (this.faults.length === earlier) for (const fault of ruleFaults(dto, value, path)) this.add(fault);
    return value;
  }

  private field(spec: FieldSpec, sent: unknown, param: string): unknown {
    const given = canonical(spec, sent);
    const fault = faultOf(spec, given, param);
    if (fault) {
      this.add(fault);
      return undefined;
    }
    const type = spec.type?.();
    if (!type) return given;
    if (!spec.list) return this.object(type, given as Record<string, unknown>, `${param}.`);
    const items: object[] = [];
    for (const [index, item] of (given as Record<string, unknown>[]).entries()) {
      if (this.isFull) break;
      items.push(this.object(type, item, `${param}.${index}.`));
    }
    return items;
  }

  private get isFull(): boolean {
    return this.faults.length >= MOST_FAULTS;
  }

  private add(fault: ErrorDetail): void {
    if (!this.isFull) this.faults.push(fault);
  }
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
