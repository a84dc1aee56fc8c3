import { describe, expect, test } from '@jest/globals';
import { SecretBox } from './secret-box.js';

describe('stored secrets', () => {
  test.each(['open', 'openCached'] as const)('%s only with the key and for the owner they were sealed for', (open) => {
    const box = new SecretBox('k'.repeat(32));
    const sealed = box.seal('svc_whsec_x', 'endpoint-1');
    expect(sealed.toString('latin1')).not.toContain('svc_whsec_x');
    for (const _ of ['first', 'again']) expect(box[open](sealed, 'endpoint-1')).toBe('svc_whsec_x');
    expect(() => box[open](sealed, 'endpoint-2')).toThrow();
    expect(() => new SecretBox('j'.repeat(32))[open](sealed, 'endpoint-1')).toThrow();
    expect(box.seal('svc_whsec_x', 'endpoint-1').equals(sealed)).toBe(false);
  });
});
