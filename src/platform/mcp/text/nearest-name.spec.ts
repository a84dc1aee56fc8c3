import { describe, expect, it } from '@jest/globals';
import { nearestName as nearest } from './nearest-name.js';
import { Vocabulary } from './vocabulary.js';

const vocabulary = new Vocabulary([
  { arguments: { assignee: ['assignee_ids'], due_date: ['due_on'] } },
  { arguments: { assignee: ['owner_id'], status: ['stage_id'] } },
]);
const nearestName = (name: string, candidates: string[]) => nearest(name, candidates, vocabulary);

describe('nearestName', () => {
  it.each([
    ['asignee', 'assignee'],
    ['assignee_dis', 'assignee_ids'],
    ['deu_on', 'due_on'],
    ['Due_On', 'due_on'],
  ])('corrects %s to %s', (name, expected) => {
    expect(nearestName(name, ['assignee', 'assignee_ids', 'due_on'])).toBe(expected);
  });

  it.each<[string, string[], string | undefined]>([
    ['assignee', ['title', 'assignee_ids', 'status_id'], 'assignee_ids'],
    ['assignee', ['title', 'owner_id'], 'owner_id'],
    ['status', ['title', 'stage_id'], 'stage_id'],
    ['status', ['title', 'status_id', 'status_group'], 'status_id'],
    ['stage', ['stage_id', 'pipeline_id'], 'stage_id'],
    ['task_id', ['id', 'title'], 'id'],
    ['id', ['task_id', 'title'], 'task_id'],
    ['contact', ['contact_ids', 'title'], 'contact_ids'],
    ['start', ['start_on', 'due_on'], 'start_on'],
    ['due_date', ['start_on', 'due_on'], 'due_on'],
    ['search', ['limit', 'q'], 'q'],
    ['desc', ['title', 'description'], 'description'],
    ['labels', ['title', 'label_ids'], 'label_ids'],
    ['dueDate', ['start_on', 'due_on'], 'due_on'],
    ['assigned_to', ['title', 'assignee_ids'], 'assignee_ids'],
    ['assigneeIds', ['title', 'assignee_ids'], 'assignee_ids'],
    ['key', ['id', 'fields'], 'id'],
    ['task_key', ['id', 'fields'], 'id'],
    ['constructor', ['limit', 'q'], undefined],
  ])('finds what %s means among %j', (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });

  it('suggests nothing when no candidate is close', () => {
    expect(nearestName('zzzzzz', ['assignee', 'due_on'])).toBeUndefined();
    expect(nearestName('x'.repeat(100_000), ['x'.repeat(100_001)])).toBeUndefined();
  });
});
