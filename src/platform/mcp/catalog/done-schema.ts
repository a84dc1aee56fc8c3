import type { Json } from '../protocol/protocol.js';

/** The member that says that the route did what it does, and answered nothing. */
export function doneMember(method: string): string {
  return method === 'DELETE' ? 'deleted' : 'done';
}

/** The answer of a tool whose route answers nothing. */
export function doneSchema(method: string): Json {
  const undo = { message: { type: 'string' }, restorable_until: { type: 'string' } };
  const properties = { [doneMember(method)]: { enum: [true] }, id: { type: 'string' }, ...(method === 'DELETE' ? undo : {}) };
  return { type: 'object', properties };
}
