import { Connection } from './connection.js';
import { methodsOf, type Table } from './methods.js';
import type { ClientOptions } from './types.js';
import { webhooks } from './webhooks.js';

export { ConnectionError, SignatureError, TimeoutError, WorkSuiteError } from './errors.js';
export { webhooks } from './webhooks.js';

/** The class of clients that have the operations of a table. */
export function suiteOf(table: Table) {
  return class WorkSuite {
    readonly webhooks = webhooks;
    private readonly baseUrl: string;

    constructor(options: ClientOptions) {
      const connection = new Connection(options);
      this.baseUrl = connection.baseUrl;
      Object.assign(this, methodsOf(table, connection));
    }

    mcpUrl(): string {
      return `${this.baseUrl}/api/v1/ext/mcp`;
    }
  };
}
