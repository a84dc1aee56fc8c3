import type { Type } from '@nestjs/common';
import { ApiSchema, getSchemaPath } from '@nestjs/swagger';

const waiting: (() => void)[] = [];

/**
 * Keeps a decorator of @nestjs/swagger for `applyOpenApiMetadata`, in the order of calls. Only building the OpenAPI documents reads its
 * metadata, and most starts find them cached.
 */
export function forOpenApi(decorate: () => void): void {
  waiting.push(decorate);
}

/** Gives all classes and methods that are declared so far the metadata that @nestjs/swagger reads. */
export function applyOpenApiMetadata(): void {
  for (const decorate of waiting.splice(0)) decorate();
}

/** The name of a DTO's schema: that of its class without `Dto`, such as `Task` for `TaskDto`. */
export function schemaName(type: Type): string {
  const given = getSchemaPath(type).replace('#/components/schemas/', '');
  if (given !== type.name) return given;
  const name = type.name.replace(/Dto$/, '');
  if (name !== given) ApiSchema({ name })(type);
  return name;
}
