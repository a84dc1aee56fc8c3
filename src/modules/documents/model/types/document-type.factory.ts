import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Store, type Ctx } from '../../../../kit/index.js';
import { DocumentTypeVersion } from './document-type-version.entity.js';
import { DocumentType } from './document-type.entity.js';
import { definitionOf, type DefinitionInput } from './type-definition.js';

/** A type for a test. */
export interface TypeInput extends DefinitionInput {
  code?: string;
  name?: string;
  project_id?: string | null;
  /** False leaves the type unpublished. */
  published?: boolean;
}

/** Inserts a type and publishes it, without the validation of its routes. Missing parts of the definition get their defaults. */
export function makeType(
  app: INestApplicationContext,
  ctx: Ctx,
  { code = `type_${randomBytes(4).toString('hex')}`, name = 'Agreement', project_id = null, published = true, ...input }: TypeInput = {},
): Promise<DocumentType> {
  const definition = definitionOf(input);
  return app.get(Store).write(ctx, async (tx) => {
    const type = await tx.insert(DocumentType, {
      code,
      name,
      project_id,
      description: null,
      published_version: published ? 1 : null,
      draft: definition,
    });
    if (published) await tx.insert(DocumentTypeVersion, { type_id: type.id, number: 1, name, definition, published_by: ctx.actor });
    return type;
  });
}
