import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages and closed tickets never change, except in the transaction that erases a person. */
export class DeskErasedPeople1798863000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(changeKeepers(`regexp_replace(definition, '\\mBEGIN\\M', 'BEGIN' || exception)`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(changeKeepers(`replace(definition, exception, '')`));
  }
}

function changeKeepers(changed: string): string {
  return `
    DO $do$
    DECLARE
      is_erasure text := 'current_setting(''work_suite.person_erasure'', true) = ''on''';
      exception text := E'\\n IF TG_OP = ''UPDATE'' AND ' || is_erasure || ' THEN RETURN NEW; END IF;';
      definition text;
    BEGIN
      FOR definition IN
        SELECT pg_get_functiondef(oid) FROM pg_proc WHERE oid IN ('keep_desk_message'::regproc, 'keep_closed_desk_ticket'::regproc)
      LOOP
        EXECUTE ${changed};
      END LOOP;
    END $do$`;
}
