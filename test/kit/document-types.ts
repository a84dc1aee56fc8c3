import type * as factory from '../../src/modules/documents/model/types/document-type.factory.js';
import type { TypeInput } from '../../src/modules/documents/model/types/document-type.factory.js';
import type { CallContext } from '../../src/platform/persistence/transactions/call-context.js';
import type { TestApp } from './test-app.js';

export type { TypeInput };

/** Creates and publishes a document type without the checks of its routes. */
export function makeType(app: TestApp, ctx: CallContext, input: TypeInput = {}) {
  return app.inside<typeof factory>('src/modules/documents/model/types/document-type.factory.ts').makeType(ctx, input);
}
