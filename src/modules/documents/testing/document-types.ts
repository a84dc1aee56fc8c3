import type { Ctx } from '../../../kit/index.js';
import type * as factory from '../model/types/document-type.factory.js';
import type { TypeInput } from '../model/types/document-type.factory.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

export type { TypeInput };

/** Creates and publishes a document type without the checks of its routes. */
export function makeType(app: TestApp, ctx: Ctx, input: TypeInput = {}) {
  return app.inside<typeof factory>('src/modules/documents/model/types/document-type.factory.ts').makeType(ctx, input);
}
