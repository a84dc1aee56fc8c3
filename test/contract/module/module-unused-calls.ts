import type { ApiResponse, Client } from '../../harness/client.js';
import type { Call, Subject } from './module-context.js';

/** Valid calls that are changed before they are sent. A refused one wrote nothing, so its rows do for the next. */
export class UnusedCalls {
  private unused: Call | undefined;

  constructor(private readonly it: Subject) {}

  async send(client: Client, change: (call: Call) => Call): Promise<ApiResponse> {
    const call = this.unused ?? (await this.it.context.call(this.it.route));
    const response = await this.it.send(client, change(call));
    this.unused = response.status < 400 ? undefined : call;
    return response;
  }

  /** Lets other checks have the last refused one. */
  end(): void {
    if (this.unused) this.it.context.giveBack(this.unused, this.it.route);
    this.unused = undefined;
  }
}
