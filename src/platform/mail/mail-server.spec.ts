import { afterEach, expect, jest, test } from '@jest/globals';
import { MailServer } from './mail-server.js';

const refusal = Object.assign(new Error('Try later'), { responseCode: 421, command: 'CONN' });

afterEach(() => void jest.useRealTimers());

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

test('one that keeps failing is asked by one mail at a time, after longer and longer pauses', () => {
  jest.useFakeTimers();
  const server = new MailServer(true);
  for (const pause of [5_000, 15_000, 45_000]) {
    expect([server.failed(refusal), server.capacity(5)]).toEqual([pause, 0]);
    jest.advanceTimersByTime(pause - 1);
    expect(server.capacity(5)).toBe(0);
    jest.advanceTimersByTime(1);
    expect(server.capacity(5)).toBe(1);
  }
});
