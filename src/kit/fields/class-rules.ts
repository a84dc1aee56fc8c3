import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidateIf, validateSync, ValidationTypes } from 'class-validator';
import type { ErrorDetail } from '../errors/errors.js';

const WITH_RULES = new WeakMap<Type, boolean>();
const isPresent = (_: unknown, value: unknown) => value !== undefined && value !== null;

/** At the first use of a DTO; most have no rules and cost nothing. */
function hasRules(dto: Type): boolean {
  let has = WITH_RULES.get(dto);
  if (has === undefined) {
    const rules = rulesOf(dto);
    const decided = new Set(rules.filter(decidesOnAbsence).map(({ propertyName }) => propertyName));
    for (const { propertyName } of rules) if (!decided.has(propertyName)) ValidateIf(isPresent)(dto.prototype as object, propertyName);
    WITH_RULES.set(dto, (has = rules.length > 0));
  }
  return has;
}

function rulesOf(dto: Type) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

function decidesOnAbsence({ type, constraints }: ReturnType<typeof rulesOf>[number]): boolean {
  if (type === ValidationTypes.CONDITIONAL_VALIDATION) return constraints[0] !== isPresent;
  return type === ValidationTypes.IS_DEFINED;
}

/** Whether a rule may find that an optional field is missing. */
export function mayRequire(dto: Type): boolean {
  return rulesOf(dto).some(decidesOnAbsence);
}

/**
 * What class-validator's decorators on the properties of a DTO find wrong; the values are valid for their `@Field`. Absent values and
 * nulls are checked only on properties with `@ValidateIf` or `@IsDefined`: `required` and `nullable` of the field decide about the others.
 * Nested objects have been checked on their own.
 */
export function ruleFaults(dto: Type, value: object, path: string): ErrorDetail[] {
  if (!hasRules(dto)) return [];
  return validateSync(value, { forbidUnknownValues: false }).flatMap(({ property, value: given, constraints = {} }) => {
    const param = path + property;
    if (given === undefined && 'isDefined' in constraints) return [missing(param, property, constraints.isDefined)];
    const code = given === undefined ? 'missing' : 'invalid_value';
    return Object.entries(constraints).map(([rule, message]) => {
      // a decorator without a message
      const text = message ? namingParam(param, property, message) : `${param} must satisfy ${rule}`;
      return { param, code, message: text };
    });
  });
}

function missing(param: string, property: string, message: string): ErrorDetail {
  const isDefault = message === `${property} should not be null or undefined`;
  return { param, code: 'missing', message: isDefault ? `${param} is required` : namingParam(param, property, message) };
}

/** class-validator's own messages begin with the property's name. */
function namingParam(param: string, property: string, message: string): string {
  return message.startsWith(`${property} `) ? param + message.slice(property.length) : `${param}: ${message}`;
}

/** Gives a class that is derived from a DTO the rules of those fields that it has. */
export function copyRules(source: Type, target: Type, has: (name: string) => boolean): void {
  for (const rule of rulesOf(source)) if (has(rule.propertyName)) getMetadataStorage().addValidationMetadata({ ...rule, target });
}
