import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { derived, SecretBox } from './secret-box.js';

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

describe('stored secrets', () => {
  test.each(['open', 'openCached'] as const)('%s only with the key and for the owner they were sealed for', (open) => {
    const box = new SecretBox([A]);
    const sealed = box.seal('svc_whsec_x', 'endpoint-1');
    expect(sealed.toString('latin1')).not.toContain('svc_whsec_x');
    for (const _ of ['first', 'again']) expect(box[open](sealed, 'endpoint-1')).toBe('svc_whsec_x');
    expect(() => box[open](sealed, 'endpoint-2')).toThrow();
    expect(() => new SecretBox([B])[open](sealed, 'endpoint-1')).toThrow('a key that ENCRYPTION_KEYS does not have');
    expect(box.seal('svc_whsec_x', 'endpoint-1').equals(sealed)).toBe(false);
  });

  test('are sealed with the first key and opened with all', () => {
    const both = new SecretBox([B, A]);
    expect(both.open(new SecretBox([A]).seal('x', 'o'), 'o')).toBe('x');
    expect(new SecretBox([B]).open(both.seal('x', 'o'), 'o')).toBe('x');
  });

  test('of releases that wrote no id of the key are opened', () => {
    const nonce = Buffer.alloc(12, 7);
    const cipher = createCipheriv('aes-256-gcm', derived(A, 'work-suite secret box', 32), nonce).setAAD(Buffer.from('o'));
    const text = Buffer.concat([cipher.update('x'), cipher.final()]);
    const sealed = Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), text]);
    expect(new SecretBox([B, A]).open(sealed, 'o')).toBe('x');
    expect(() => new SecretBox([B]).open(sealed, 'o')).toThrow();
  });
});
