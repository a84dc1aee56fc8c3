import { expect, test } from '@jest/globals';
import { BaseEntity } from './entities.js';
import { declareRestorable, restorableOf, type Restorable } from './restorable.js';

class Letter extends BaseEntity {}
class OldHandler {
  restored(): void {}
  requireVisible(): void {}
}
class DerivedHandler extends OldHandler {}
class Handler {
  restored(): void {}
}

const LETTERS: Restorable = { entity: Letter, deletedBy: 'delete_letter', shownBy: 'get_letter' };

test.each([
  [{ handler: OldHandler }, 'post: OldHandler has requireVisible(), which is no longer called.'],
  [{ handler: DerivedHandler }, 'post: DerivedHandler has requireVisible()'],
  [{ untitled: true }, 'post: the restorable Letter has untitled, which is gone.'],
])('a restorable resource of an earlier kit is refused: %#', (old, message) => {
  expect(() => declareRestorable('post', [{ ...LETTERS, ...old }])).toThrow(message);
  expect(restorableOf(Letter)).toBeUndefined();
});

test('a restorable resource is known by its entity', () => {
  declareRestorable('post', [{ ...LETTERS, handler: Handler }]);
  expect(restorableOf(Letter)).toMatchObject({ module: 'post', deletedBy: 'delete_letter' });
});
