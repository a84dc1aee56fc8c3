import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Statuses, labels, tasks, comments. Foreign keys include every column that both rows must share (organization, project,
 * mode). Their last column is the one that the caller sends, so that errors can name the invalid field.
 */
export class TasksTables1763690000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE task_statuses (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL CONSTRAINT task_statuses_name_check CHECK (length(name) BETWEEN 1 AND 50),
        "group" text NOT NULL CONSTRAINT task_statuses_group_check
          CHECK ("group" IN ('backlog', 'unstarted', 'started', 'completed', 'cancelled')),
        position integer NOT NULL,
        is_default boolean NOT NULL DEFAULT false,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT task_statuses_reference_key UNIQUE (organization_id, project_id, "group", id),
        CONSTRAINT task_statuses_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX task_statuses_name_key ON task_statuses (project_id, lower(name))`);
    await queryRunner.query(`CREATE UNIQUE INDEX task_statuses_default_key ON task_statuses (project_id) WHERE is_default`);

    await queryRunner.query(`
      CREATE TABLE task_labels (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT task_labels_organization_id_fkey REFERENCES organizations (id),
        project_id uuid,
        name text NOT NULL CONSTRAINT task_labels_name_check CHECK (length(name) BETWEEN 1 AND 50),
        color text NOT NULL CONSTRAINT task_labels_color_check CHECK (color ~ '^#[0-9a-f]{6}$'),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT task_labels_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    // labels of the whole organization have no project, and null does not equal null
    await queryRunner.query(
      `CREATE UNIQUE INDEX task_labels_name_key ON task_labels (organization_id, COALESCE(project_id, organization_id), lower(name))`,
    );

    await queryRunner.query(`
      CREATE TABLE tasks (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT tasks_mode_check CHECK (mode IN ('live', 'test')),
        key text NOT NULL,
        title text NOT NULL CONSTRAINT tasks_title_check CHECK (length(title) BETWEEN 1 AND 255),
        description text CONSTRAINT tasks_description_check CHECK (length(description) <= 20000),
        status_id uuid NOT NULL,
        status_group text NOT NULL,
        priority smallint NOT NULL CONSTRAINT tasks_priority_check CHECK (priority BETWEEN 0 AND 4),
        assignee_ids uuid[] NOT NULL DEFAULT '{}' CONSTRAINT tasks_assignee_ids_check CHECK (cardinality(assignee_ids) <= 20),
        label_ids uuid[] NOT NULL DEFAULT '{}' CONSTRAINT tasks_label_ids_check CHECK (cardinality(label_ids) <= 50),
        parent_id uuid CONSTRAINT tasks_parent_id_check CHECK (parent_id <> id),
        start_on date,
        due_on date CONSTRAINT tasks_due_on_check CHECK (due_on >= start_on),
        position double precision NOT NULL,
        completed_at timestamptz(3) CONSTRAINT tasks_completed_at_check
          CHECK ((completed_at IS NOT NULL) = (status_group IN ('completed', 'cancelled'))),
        created_by jsonb NOT NULL,
        search tsvector,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT tasks_key_key UNIQUE (organization_id, key),
        CONSTRAINT tasks_reference_key UNIQUE (organization_id, project_id, mode, id),
        CONSTRAINT tasks_status_id_fkey FOREIGN KEY (organization_id, project_id, status_group, status_id)
          REFERENCES task_statuses (organization_id, project_id, "group", id),
        CONSTRAINT tasks_parent_id_fkey FOREIGN KEY (organization_id, project_id, mode, parent_id)
          REFERENCES tasks (organization_id, project_id, mode, id)
      )`);
    // one index per sort of list_tasks; a trailing project column serves lists across projects and filters in the index
    await queryRunner.query(`CREATE INDEX tasks_created_at_idx ON tasks (organization_id, mode, created_at, id)`);
    await queryRunner.query(`CREATE INDEX tasks_project_created_at_idx ON tasks (organization_id, mode, project_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX tasks_updated_at_idx ON tasks (organization_id, mode, updated_at, id, project_id)`);
    await queryRunner.query(
      `CREATE INDEX tasks_due_on_asc_idx ON tasks (organization_id, mode, COALESCE(due_on, 'infinity'), id, project_id)`,
    );
    await queryRunner.query(
      `CREATE INDEX tasks_due_on_desc_idx ON tasks (organization_id, mode, COALESCE(due_on, '-infinity'), id, project_id)`,
    );
    await queryRunner.query(`CREATE INDEX tasks_priority_idx ON tasks (organization_id, mode, priority, id, project_id)`);
    await queryRunner.query(`CREATE INDEX tasks_position_idx ON tasks (organization_id, mode, project_id, position, id)`);
    // for the few open tasks among many closed ones
    await queryRunner.query(`CREATE INDEX tasks_status_id_idx ON tasks (status_id)`);
    await queryRunner.query(`CREATE INDEX tasks_status_group_idx ON tasks (organization_id, mode, status_group)`);
    await queryRunner.query(`CREATE INDEX tasks_parent_id_idx ON tasks (parent_id) WHERE parent_id IS NOT NULL`);
    // inserts with empty arrays skip these indexes; list_tasks repeats the condition to use them
    await queryRunner.query(`CREATE INDEX tasks_assignee_ids_idx ON tasks USING gin (assignee_ids) WHERE assignee_ids <> '{}'`);
    await queryRunner.query(`CREATE INDEX tasks_label_ids_idx ON tasks USING gin (label_ids) WHERE label_ids <> '{}'`);
    await queryRunner.query(`CREATE INDEX tasks_search_idx ON tasks USING gin (search)`);
    await createSearch(queryRunner);
    await createReferenceCheck(queryRunner);
    await createHierarchyCheck(queryRunner);

    await queryRunner.query(`
      CREATE TABLE task_comments (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT task_comments_mode_check CHECK (mode IN ('live', 'test')),
        task_id uuid NOT NULL,
        body text NOT NULL CONSTRAINT task_comments_body_check CHECK (length(body) BETWEEN 1 AND 10000),
        author jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT task_comments_task_id_fkey FOREIGN KEY (organization_id, project_id, mode, task_id)
          REFERENCES tasks (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX task_comments_created_at_idx ON task_comments (task_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE task_comments, tasks, task_labels, task_statuses`);
    await queryRunner.query(
      `DROP FUNCTION set_task_search, check_task_references, check_task_hierarchy, task_lineage, lock_task_hierarchy`,
    );
  }
}

/** The store tokenizes queries into letters and digits, so the search vector must split words at punctuation too. */
async function createSearch(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION set_task_search() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.search := to_tsvector('simple', translate(concat_ws(' ', NEW.key, NEW.title, NEW.description), '-./:@_+&=?#%~\\|<>''"',
        repeat(' ', 19)));
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER tasks_set_search BEFORE INSERT OR UPDATE OF title, description ON tasks
    FOR EACH ROW EXECUTE FUNCTION set_task_search()`);
}

/** Replaces foreign keys, which arrays cannot have. The DETAIL becomes the caller's error message. */
async function createReferenceCheck(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION check_task_references() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      unknown_id uuid;
    BEGIN
      SELECT given.id INTO unknown_id FROM unnest(NEW.assignee_ids) AS given (id)
      WHERE NOT EXISTS (SELECT FROM members m WHERE m.id = given.id AND m.organization_id = NEW.organization_id
                        AND (m.status = 'active' OR given.id = ANY (OLD.assignee_ids)));
      IF unknown_id IS NOT NULL THEN
        RAISE EXCEPTION 'unknown assignee' USING ERRCODE = 'check_violation', TABLE = 'tasks', CONSTRAINT = 'tasks_assignee_ids_check',
          DETAIL = format('assignee_ids holds %s, which is no active member; use ids that list_task_members returns', unknown_id);
      END IF;
      SELECT given.id INTO unknown_id FROM unnest(NEW.label_ids) AS given (id)
      WHERE NOT EXISTS (SELECT FROM task_labels l WHERE l.id = given.id AND l.organization_id = NEW.organization_id
                        AND (l.project_id IS NULL OR l.project_id = NEW.project_id));
      IF unknown_id IS NOT NULL THEN
        RAISE EXCEPTION 'unknown label' USING ERRCODE = 'check_violation', TABLE = 'tasks', CONSTRAINT = 'tasks_label_ids_check',
          DETAIL = format('label_ids holds %s, which is no label of the task''s project; use ids that list_task_labels returns',
            unknown_id);
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER tasks_check_references_of_new BEFORE INSERT ON tasks
    FOR EACH ROW WHEN (NEW.assignee_ids <> '{}' OR NEW.label_ids <> '{}') EXECUTE FUNCTION check_task_references()`);
  await queryRunner.query(`
    CREATE TRIGGER tasks_check_references BEFORE UPDATE OF assignee_ids, label_ids ON tasks
    FOR EACH ROW EXECUTE FUNCTION check_task_references()`);
}

/** Two concurrent changes that are valid separately can form a cycle together, so changes of a hierarchy are serialized. */
async function createHierarchyCheck(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION lock_task_hierarchy(organization_id uuid, mode text) RETURNS void LANGUAGE sql AS $$
      SELECT pg_advisory_xact_lock(hashtextextended('task hierarchy ' || organization_id || ' ' || mode, 0))
    $$`);
  // the ancestors of the parent, itself included, and the number of levels of the child's subtree
  await queryRunner.query(`
    CREATE FUNCTION task_lineage(parent uuid, child uuid, OUT ancestors uuid[], OUT height integer) LANGUAGE sql AS $$
      WITH RECURSIVE up AS (
        SELECT id, parent_id FROM tasks WHERE id = parent
        UNION SELECT t.id, t.parent_id FROM tasks t JOIN up ON t.id = up.parent_id
      ), down AS (
        SELECT child AS id, 1 AS level
        UNION SELECT t.id, down.level + 1 FROM tasks t JOIN down ON t.parent_id = down.id WHERE down.level <= 10
      )
      SELECT ARRAY(SELECT id FROM up), (SELECT max(level) FROM down)
    $$`);
  await queryRunner.query(`
    CREATE FUNCTION check_task_hierarchy() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      lineage record;
    BEGIN
      PERFORM lock_task_hierarchy(NEW.organization_id, NEW.mode);
      SELECT * INTO lineage FROM task_lineage(NEW.parent_id, NEW.id);
      IF NEW.id = ANY (lineage.ancestors) THEN
        RAISE EXCEPTION 'cycle of tasks' USING ERRCODE = 'check_violation', TABLE = 'tasks', CONSTRAINT = 'tasks_parent_id_check',
          DETAIL = 'parent_id must not be the task itself or one of its subtasks';
      END IF;
      IF cardinality(lineage.ancestors) + lineage.height > 10 THEN
        RAISE EXCEPTION 'tasks too deep' USING ERRCODE = 'check_violation', TABLE = 'tasks', CONSTRAINT = 'tasks_parent_id_check',
          DETAIL = 'parent_id would nest tasks more than 10 levels deep';
      END IF;
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER tasks_check_hierarchy_of_new BEFORE INSERT ON tasks
    FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION check_task_hierarchy()`);
  await queryRunner.query(`
    CREATE TRIGGER tasks_check_hierarchy BEFORE UPDATE OF parent_id ON tasks
    FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL AND NEW.parent_id IS DISTINCT FROM OLD.parent_id)
      EXECUTE FUNCTION check_task_hierarchy()`);
}
