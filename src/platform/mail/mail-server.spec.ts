import { expect, test } from '@jest/globals';
import { MailServer } from './mail-server.js';

const refusal = Object.assign(new Error('Try later'), { responseCode: 421, command: 'CONN' });

test('a mail server that fails again right after it worked is shown as failing, and gets a pause', () => {
  const server = new MailServer(true);
  expect(server.failed(refusal)).toBe(5_000);
  server.worked();
  expect([server.state.status, server.capacity(5)]).toEqual(['working', 5]);
  expect(server.failed(refusal)).toBe(5_000);
  expect([server.state.status, server.capacity(5)]).toEqual(['failing', 0]);
  // mails that were in flight together count once
  expect(server.failed(refusal)).toBeLessThanOrEqual(5_000);
});
