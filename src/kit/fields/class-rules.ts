import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { ErrorDetail } from '../errors/errors.js';

const WITH_RULES = new WeakMap<Type, boolean>();

function hasRules(dto: Type): boolean {
  let has = WITH_RULES.get(dto);
  if (has === undefined) WITH_RULES.set(dto, (has = rulesOf(dto).length > 0));
  return has;
}

function rulesOf(dto: Type) {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

/**
 * What class-validator's decorators on the properties of a DTO find wrong; the values are valid for their `@Field`. Absent values are not
 * checked: `required` and `nullable` of the field decide about those. Nested objects have been checked on their own.
 */
export function ruleFaults(dto: Type, value: object, path: string): ErrorDetail[] {
  if (!hasRules(dto)) return [];
  return validateSync(value, { skipMissingProperties: true, forbidUnknownValues: false }).flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) => {
      const param = path + property;
      // class-validator's own messages begin with the property's name
      return { param, code: 'invalid_value', message: message.startsWith(`${property} `) ? path + message : `${param}: ${message}` };
    }),
  );
}

/** Gives a class that is derived from a DTO the rules of those fields that it has. */
export function copyRules(source: Type, target: Type, has: (name: string) => boolean): void {
  for (const rule of rulesOf(source)) if (has(rule.propertyName)) getMetadataStorage().addValidationMetadata({ ...rule, target });
}
