import { expect, test } from '@jest/globals';
import type { Ctx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { Contents } from './contents.service.js';

const none = undefined as never;
const contents = new Contents(none, none, none, none, none, none, none, none);
const DRAFT = { id: 'd', revision: 2, version: 5, finalized_at: null, executed_at: null };
const FINAL = { ...DRAFT, version: 6, finalized_at: new Date() };
const EXECUTED = { ...FINAL, version: 9, executed_at: new Date() };

function keyOf(document: Partial<Document>, revision?: number): string {
  return contents.source({} as Ctx, document as Document, revision).key;
}

test('frozen files stay the same, whatever else changes in their document; drafts change with it', () => {
  expect(keyOf({ ...FINAL, version: 7 })).toBe(keyOf(FINAL));
  expect(keyOf({ ...EXECUTED, version: 10 })).toBe(keyOf(EXECUTED));
  expect(keyOf({ ...DRAFT, version: 12 }, 1)).toBe(keyOf(FINAL, 1));
  expect(keyOf({ ...DRAFT, version: 6 })).not.toBe(keyOf(DRAFT));
  const next = { ...DRAFT, revision: 3 };
  expect(new Set([keyOf(DRAFT), keyOf(FINAL), keyOf(EXECUTED), keyOf(FINAL, 1), keyOf(next), keyOf({ ...FINAL, id: 'e' })]).size).toBe(6);
});
