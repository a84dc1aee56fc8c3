import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { fieldsOf } from '../../kit/index.js';

/** What is used of class-transformer's `MetadataStorage`. */
interface TransformerMetadata {
  getExposedMetadatas(target: Type): { propertyName?: string }[];
  getExcludedMetadatas(target: Type): { propertyName?: string }[];
  findTypeMetadata(target: Type, propertyName: string): object | undefined;
  findTransformMetadatas(target: Type, propertyName: string, transformationType: 0 | 1): object[];
}

let transformer: TransformerMetadata | null | undefined;

/** The suite does without class-transformer; it is here only if a module uses it. Node looks for what is absent anew each time. */
function transformerMetadata(): TransformerMetadata | null {
  if (transformer !== undefined) return transformer;
  try {
    const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as Record<string, unknown>;
    return (transformer = defaultMetadataStorage as TransformerMetadata);
  } catch {
    return (transformer = null);
  }
}

const SWAGGER_PROPERTIES = 'swagger/apiModelPropertiesArray';

/** Properties of a DTO that other decorators declare: without `@Field` they are neither read nor documented. */
export function dtoHabits(dto: Type): string[] {
  const fields = fieldsOf(dto);
  const problems: string[] = [];
  const validated = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const documented = (Reflect.getMetadata(SWAGGER_PROPERTIES, dto.prototype as object) as string[] | undefined) ?? [];
  const declared = [...validated.map(({ propertyName }) => propertyName), ...documented.map((name) => name.replace(/^:/, ''))];
  for (const name of new Set(declared))
    if (!fields.has(name)) problems.push(`${dto.name}.${name} has decorators but no @Field, so it would never be set; add the @Field`);
  for (const { propertyName, constraintCls } of validated)
    if (
      constraintCls &&
      getMetadataStorage()
        .getTargetValidatorConstraints(constraintCls)
        .some(({ async }) => async)
    )
      problems.push(`${dto.name}.${propertyName} has an asynchronous validator, which would not run; check the value in the service`);
  for (const name of transformedProperties(dto))
    problems.push(
      `${dto.name}.${name}: decorators of class-transformer have no effect; @Field converts values, Field.object(() => Type) nests`,
    );
  return problems;
}

function transformedProperties(dto: Type): string[] {
  const storage = transformerMetadata();
  if (!storage) return [];
  const names = [...storage.getExposedMetadatas(dto), ...storage.getExcludedMetadatas(dto)].map(({ propertyName }) => propertyName);
  const candidates = new Set([...fieldsOf(dto).keys(), ...names]);
  return [...candidates].filter(
    (name): name is string =>
      name !== undefined &&
      (names.includes(name) ||
        storage.findTypeMetadata(dto, name) !== undefined ||
        storage.findTransformMetadatas(dto, name, 0).length > 0 ||
        storage.findTransformMetadatas(dto, name, 1).length > 0),
  );
}
