import { expect, test } from '@jest/globals';
import { FileResponse } from './file-response.js';

test('a file that a route does not declare cannot be sent as JSON', () => {
  expect(() => JSON.stringify(new FileResponse('text/csv', 'a'))).toThrow(/text\/csv.*responds with JSON only/);
});
