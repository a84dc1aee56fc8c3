import { afterAll, expect, test } from '@jest/globals';
import { simpleParser } from 'mailparser';
import sharp from 'sharp';
import { DeskInbox } from '../../src/modules/desk/testing/desk-inbox.js';
import { mailOf, plain } from '../../src/modules/desk/testing/sample-mails.js';
import { eventually } from '../harness/eventually.js';
import { ownApp } from '../harness/hosted-app.js';
import { Mailbox } from '../harness/mailbox.js';
import { S3Server } from '../harness/s3-server.js';

const s3 = await S3Server.start();
const smtp = await Mailbox.start();
const app = await ownApp({ env: { ...s3.env, ...smtp.env } });
const mails = app.inside<typeof import('../harness/send-mail.js')>('test/harness/send-mail.ts');
const space = await app.workspace();
const owner = await space.signIn();
afterAll(() => Promise.all([s3.close(), smtp.stop()]));

interface JobState {
  status: string;
  attempts: number;
  failures: number;
}

/** The jobs of a row that have not ended: their payload names it. */
const OF_ROW = `strpos(payload::text, $1) > 0 AND status <> 'done'`;
const jobsOf = async (id: string) =>
  (await app.sql.query<JobState>(`SELECT status, attempts, failures FROM jobs WHERE ${OF_ROW}`, [id])).rows;

/** As if the time of the next attempt had come, and as many had failed. Returns the attempts so far. */
async function makeDue(id: string, failures: number): Promise<number> {
  const { rows } = await eventually(
    () =>
      app.sql.query<JobState>(
        `UPDATE jobs SET due_at = now(), failures = $2 WHERE ${OF_ROW} AND attempts > 0 AND leased_until IS NULL RETURNING attempts`,
        [id, failures],
      ),
    ({ rowCount }) => rowCount === 1,
  );
  return rows[0].attempts;
}

/** What has become of the job of a row after a further attempt. */
async function afterAttempt(id: string, failures: number): Promise<JobState> {
  const before = await makeDue(id, failures);
  const ended = `SELECT status, attempts, failures FROM jobs WHERE ${OF_ROW} AND attempts > $2 AND leased_until IS NULL`;
  const { rows } = await eventually(
    () => app.sql.query<JobState>(ended, [id, before]),
    ({ rowCount }) => rowCount === 1,
  );
  return rows[0];
}

/** While the work adds jobs, they are not due. */
async function postponed<T>(work: () => Promise<T>): Promise<T> {
  await app.sql.query(`CREATE FUNCTION postpone_job() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.due_at := now() + interval '1 day'; RETURN NEW; END $$;
    CREATE TRIGGER postpone_job BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION postpone_job()`);
  return work().finally(() => app.sql.query('DROP FUNCTION postpone_job CASCADE'));
}

/** As after an upgrade: a process of the version before took the job and found no content. */
async function loseJob(table: string, id: string): Promise<void> {
  await app.sql.query(`UPDATE jobs SET status = 'done' WHERE strpos(payload::text, $1) > 0`, [id]);
  await app.sql.query(`UPDATE ${table} SET updated_at = now() - interval '2 hours' WHERE id = $1`, [id]);
}

test('a received mail is read once its content is there again, however long the storage was down, also if its job was lost', async () => {
  const inbox = new DeskInbox(app, space, owner);
  const { token } = await inbox.open({ address: 'support@desk.example' });
  const messageId = await postponed(async () => (await inbox.deliver(mailOf({ body: plain('Smoke') }), token)).body.message_id as string);
  const { rows } = await app.sql.query<{ id: string }>('SELECT id FROM desk_inbound_mails WHERE message_id = $1', [messageId]);
  const [{ id }] = rows;
  await app.runScheduledJob('platform.move_files');
  await s3.stop();
  await loseJob('desk_inbound_mails', id);
  for (let run = 0; run < 2; run++) await app.runScheduledJob('desk.read_waiting_mails');
  expect(await afterAttempt(id, 7)).toMatchObject({ status: 'due', failures: 7 });
  // it waits for its next attempt and is not added again
  await app.runScheduledJob('desk.read_waiting_mails');
  expect(await jobsOf(id)).toHaveLength(1);
  await s3.resume();
  await makeDue(id, 7);
  expect(await inbox.settled(messageId)).toMatchObject({ status: 'processed', ticket_id: expect.any(String) });
});

test('an import goes on once its file is there again, on behalf of its caller, also if its job was lost', async () => {
  const { body } = await postponed(() =>
    owner.post(`/api/v1/org/marketing/leads/import?project_id=${space.eng.id}`, 'full_name,email\nAda,ada@outage.example\n', {
      'content-type': 'text/csv',
    }),
  );
  const id = body.id as string;
  await app.runScheduledJob('platform.move_files');
  await s3.stop();
  await loseJob('lead_imports', id);
  await app.runScheduledJob('lead_webhook.continue_imports');
  expect(await afterAttempt(id, 4)).toMatchObject({ status: 'due', failures: 4 });
  await s3.resume();
  await makeDue(id, 4);
  const ended = await eventually(
    () => owner.get(`/api/v1/org/marketing/lead-imports/${id}`),
    (got) => got.body.finished_at !== null,
  );
  expect(ended.body).toMatchObject({ state: 'completed', created_count: 1 });
  const { rows } = await app.sql.query(`SELECT created_by->>'id' AS by FROM leads WHERE email_normalized = 'ada@outage.example'`);
  expect(rows).toEqual([{ by: space.owner.id }]);
});

test('a mail is sent without its logo while the storage is down, and one with a file when it can be read again', async () => {
  const logo = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#204060' } })
    .png()
    .toBuffer();
  const set = await owner.patch('/api/v1/org/papers/settings', { logo: `data:image/png;base64,${logo.toString('base64')}` });
  expect(set.status).toBe(200);
  const [plainTo, fileTo] = ['plain@outage.example', 'file@outage.example'];
  // the server puts both off, so that they are written with the storage and sent without it
  for (const to of [plainTo, fileTo]) smtp.rejections.set(to, { code: 450, times: Infinity });
  const mail = { subject: 'Hello', text: 'Text', permission: null };
  const ids = [
    await mails.sendMail(space.ctx(), { ...mail, to: plainTo }),
    await mails.sendMail(space.ctx(), { ...mail, to: fileTo, file: 'Attached' }),
  ];
  const shown = async (id: string) => (await owner.get(`/api/v1/org/developer/mail-outbox/${id}`)).body;
  for (const id of ids)
    await eventually(
      () => shown(id),
      ({ error }) => error !== null,
    );
  await app.runScheduledJob('platform.move_files');
  await s3.stop();
  await mails.forgetLogos();
  smtp.rejections.clear();
  const sendAgain = () => app.sql.query(`UPDATE mails SET due_at = now() WHERE id = ANY ($1) AND status = 'queued'`, [ids]);
  await sendAgain();
  const { source } = await smtp.newest(plainTo, 'Hello');
  expect((await simpleParser(source)).attachments).toEqual([]);
  expect(source).not.toContain('cid:logo-');
  await eventually(
    () => shown(ids[1]),
    ({ error }) => String(error).includes('storage'),
  );
  await s3.resume();
  await sendAgain();
  const { attachments } = await simpleParser((await smtp.newest(fileTo, 'Hello')).source);
  expect(attachments.find(({ filename }) => filename === 'a.txt')?.content.toString()).toBe('Attached');
});

test('migrations are not reverted while the storage has files, which the version before does not find there', async () => {
  const { runMigration } = app.inside<typeof import('../harness/run-migration.js')>('test/harness/run-migration.ts');
  const inbox = new DeskInbox(app, space, owner);
  const { token } = await inbox.open({ address: 'alerts@desk.example' });
  const raw = mailOf({ headers: { 'Auto-Submitted': 'auto-generated' }, body: plain('99 %') });
  const { id } = await inbox.receive(raw, token);
  await app.runScheduledJob('platform.move_files');
  for (const name of ['platform-new-objects', 'desk-mail-objects'])
    await expect(runMigration(name, 'down')).rejects.toThrow('in the storage: run STORAGE_TARGET=database work-suite storage migrate');
  await app.service<{ all(target: string): Promise<object> }>('MoveFiles').all('database');
  const stored = 'SELECT content_object_id AS object FROM desk_inbound_mails WHERE id = $1';
  const { rows } = await app.sql.query<{ object: string }>(stored, [id]);
  await app.sql.query('UPDATE objects SET collect_at = NULL');
  for (const name of ['platform-new-objects', 'desk-mail-objects']) await runMigration(name, 'down');
  expect((await app.sql.query('SELECT content FROM desk_inbound_mails WHERE id = $1', [id])).rows).toEqual([{ content: raw }]);
  // nothing refers to it any more
  const { rows: released } = await app.sql.query('SELECT id FROM objects WHERE collect_at IS NOT NULL');
  expect(released).toEqual([{ id: rows[0].object }]);
  await runMigration('desk-mail-objects', 'up');
});
