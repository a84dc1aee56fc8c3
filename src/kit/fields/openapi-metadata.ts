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
