import { expect, test } from '@jest/globals';
import { requireReadOnly } from './read-only-text.js';

test.each([
  'SELECT 1',
  '\n  WITH days AS (SELECT 1) SELECT * FROM days',
  'WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT 2 FROM a) SELECT * FROM a',
  "SELECT 'DELETE FROM it''s' AS \"update\", $tag$ INSERT INTO $tag$ -- INTO\n /* MERGE */",
  'SELECT last_update, deleted, x.updated_at FROM things t WHERE t.into_id = $1',
  '(SELECT 1) UNION ALL (SELECT 2)',
])('%j reads', (text) => expect(() => requireReadOnly(text)).not.toThrow());

test.each([
  'DELETE FROM things',
  'WITH gone AS (DELETE FROM things RETURNING id) SELECT id FROM gone',
  'WITH a AS (SELECT 1) INSERT INTO things SELECT * FROM a',
  'WITH a AS (WITH b AS (SELECT 1) UPDATE things SET x = 1 RETURNING id) SELECT * FROM a',
  'SELECT * INTO copies FROM things',
  'SELECT id FROM things FOR UPDATE',
  'SELECT id FROM things FOR NO KEY UPDATE',
  'SELECT id FROM things FOR SHARE',
  "SELECT 'a' FROM things FOR\n key share",
  'TRUNCATE things',
  'EXPLAIN ANALYZE SELECT 1',
])('%j does not only read', (text) => expect(() => requireReadOnly(text)).toThrow('A reader runs SELECT'));
