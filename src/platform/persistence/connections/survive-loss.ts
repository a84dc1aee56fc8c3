import type { ClientBase } from 'pg';

/** If a connection is lost while in use, its statements fail, and it also emits an error event, which would end the process. */
export function surviveLoss(client: ClientBase): void {
  client.on('error', () => undefined);
}
