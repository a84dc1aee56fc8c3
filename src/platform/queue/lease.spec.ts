import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Lease, LEASE_MS, RENEW_EVERY_MS } from './lease.js';

let renewed: () => Promise<boolean>;
let lease: Lease;

beforeEach(() => {
  jest.useFakeTimers();
  renewed = () => Promise.resolve(true);
  lease = new Lease(() => renewed(), performance.now());
});
afterEach(() => {
  lease.end();
  jest.useRealTimers();
});

describe('a lease', () => {
  test('is held as long as it is renewed', async () => {
    await jest.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect(() => lease.requireHeld()).not.toThrow();
    expect(lease.signal.aborted).toBe(false);
  });

  test('is lost at once when another worker has it', async () => {
    renewed = () => Promise.resolve(false);
    await jest.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    expect(lease.signal.aborted).toBe(true);
    expect(() => lease.requireHeld()).toThrow('another process has taken the work over');
  });

  test('is known to be lost before the next renewal, on request', async () => {
    await expect(lease.requireRenewed()).resolves.toBeUndefined();
    renewed = () => Promise.resolve(false);
    await expect(lease.requireRenewed()).rejects.toThrow('another process has taken the work over');
  });

  test('has the duration that was asked for', async () => {
    const short = new Lease(() => Promise.reject(new Error('no database')), performance.now(), 300, 100);
    await jest.advanceTimersByTimeAsync(299);
    expect(short.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(short.signal.aborted).toBe(true);
  });

  test('is lost when no renewal succeeds before it expires, and not before', async () => {
    renewed = () => Promise.reject(new Error('no database'));
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(() => lease.requireHeld()).not.toThrow();
    await jest.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
  });

  test('is lost when the process was blocked until it expired, although no timer has run yet', () => {
    jest.setSystemTime(Date.now());
    const blocked = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS);
    expect(() => lease.requireHeld()).toThrow('could not be renewed in time');
    blocked.mockRestore();
  });
});
