import { describe, expect, it } from '@jest/globals';
import { applyClear } from './clear-argument.js';

const clearable = { members: ['due_on', 'parent_id'], customFields: 'custom_fields' };

describe('applyClear', () => {
  it('makes named members and custom fields null', () => {
    const args = { title: 'A', custom_fields: { size: 1 }, clear: ['due_on', 'custom_fields.color', 'due_on'] };
    expect(applyClear(clearable, args)).toBeUndefined();
    expect(args).toEqual({ title: 'A', due_on: null, custom_fields: { size: 1, color: null } });
  });

  it.each([
    [{ due_on: '2026-01-01', clear: ['due_on'] }, 'due_on', 'due_on is set, so it cannot be in clear, too'],
    [{ custom_fields: { b: 1 }, clear: ['custom_fields.b'] }, 'custom_fields.b', 'custom_fields.b is set, so it cannot be in clear, too'],
    [{ clear: ['due_no'] }, 'clear', 'clear cannot empty "due_no"; did you mean "due_on"?'],
    [{ clear: ['title'] }, 'clear', 'clear cannot empty "title"; the members that can be emptied are due_on, parent_id'],
    [{ clear: 'due_on' }, 'clear', 'clear must be a list of names'],
  ])('refuses %j', (args, param, message) => {
    expect(applyClear(clearable, args)).toMatchObject({ code: 'validation_failed', param, message });
  });
});
