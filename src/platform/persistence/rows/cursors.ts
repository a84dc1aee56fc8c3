import { createHmac, timingSafeEqual } from 'node:crypto';
import { CommonErrors } from '../../../kit/index.js';

const MAC_BYTES = 12;

/**
 * Opaque list cursors: the sort tuple of the last row, signed together with everything the list depends on (caller's
 * scope, filters, sort), so that a cursor is valid only for the list that returned it.
 */
export class Cursors {
  constructor(private readonly secret: string) {}

  encode(tuple: readonly unknown[], list: string): string {
    const payload = Buffer.from(JSON.stringify(tuple));
    return Buffer.concat([this.mac(payload, list), payload]).toString('base64url');
  }

  decode(cursor: string, list: string): unknown[] {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    if (
      bytes.length <= MAC_BYTES ||
      bytes.toString('base64url') !== cursor ||
      !timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(payload, list))
    ) {
      throw CommonErrors.invalidCursor({ param: 'cursor' });
    }
    return JSON.parse(payload.toString()) as unknown[];
  }

  private mac(payload: Buffer, list: string): Buffer {
    return createHmac('sha256', this.secret).update(list).update('\n').update(payload).digest().subarray(0, MAC_BYTES);
  }
}
