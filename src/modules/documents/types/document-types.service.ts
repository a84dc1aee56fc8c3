import { Injectable } from '@nestjs/common';
import { CommonErrors, DocumentTokenCatalog, isUuid, Members, Projects, Store, type Ctx, type Page } from '../../../kit/index.js';
import { typesOf } from '../engine/content/module-tokens.js';
import { requirePrintableType } from '../engine/pdf/printable-content.js';
import { requireFiles } from './check-file.js';
import { requireDefinition, type Directory } from './check-definition.js';
import { DocumentTypeVersion } from '../model/types/document-type-version.entity.js';
import { DocumentType } from '../model/types/document-type.entity.js';
import type { CreateDocumentTypeDto, DocumentTypesQuery, DocumentTypeVersionsQuery, UpdateDocumentTypeDto } from './document-types.dto.js';
import { APPROVE, mayApprove } from '../model/rules/approval-panel.js';
import { requireOwnNumbers } from '../model/records/numbering.js';
import { arranged } from '../model/core/file-names.js';
import { definitionOf, type TypeDefinition } from '../model/types/type-definition.js';
import { TypeVersions } from '../model/types/type-versions.js';

/** Manages document types. Drafts are validated whenever they are saved, and again when they are published. */
@Injectable()
export class DocumentTypesService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly versions: TypeVersions,
    private readonly catalog: DocumentTokenCatalog,
  ) {}

  get(ctx: Ctx, id: string): Promise<DocumentType> {
    return this.store.get(ctx, DocumentType, id);
  }

  async withIdOrCode(ctx: Ctx, idOrCode: string): Promise<DocumentType> {
    if (isUuid(idOrCode)) return this.get(ctx, idOrCode);
    const [type] = await this.store.list(ctx, DocumentType, { code: idOrCode });
    if (!type) throw CommonErrors.notFound();
    return type;
  }

  page(ctx: Ctx, query: DocumentTypesQuery): Promise<Page<DocumentType>> {
    return this.store.page(ctx, DocumentType, query);
  }

  /** The published definitions of several types, by type. */
  async published(ctx: Ctx, types: readonly DocumentType[]): Promise<(type: DocumentType) => TypeDefinition | null> {
    const wanted = types.flatMap(({ id, published_version }) =>
      published_version === null ? [] : [{ type_id: id, type_version: published_version }],
    );
    const version = await this.versions.all(ctx, wanted);
    return ({ id, published_version }) => (published_version === null ? null : version(id, published_version).definition);
  }

  async create(
    ctx: Ctx,
    { code, name, description = null, project_id = null, ...definition }: CreateDocumentTypeDto,
  ): Promise<DocumentType> {
    if (project_id !== null) await this.projects.resolve(ctx, project_id);
    const draft = definitionOf(definition);
    await requireDefinition(draft, await this.directory(ctx));
    return this.store.write(ctx, (tx) =>
      tx.insert(DocumentType, { code, name, description, project_id, published_version: null, draft, file: null, files: [] }),
    );
  }

  async update(ctx: Ctx, id: string, { name, description, files, ...definition }: UpdateDocumentTypeDto): Promise<DocumentType> {
    const directory = await this.directory(ctx);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      const draft = definitionOf(definition, type.draft);
      await requireDefinition(draft, directory);
      return tx.update(type, {
        name,
        description,
        draft,
        files: files && arranged({ title: name ?? type.name, files: type.files }, files, 'files'),
      });
    });
  }

  /** Makes the draft the next version. Existing documents keep their version. */
  async publish(ctx: Ctx, id: string): Promise<DocumentTypeVersion> {
    const directory = await this.directory(ctx);
    return this.store.write(ctx, async (tx) => {
      const type = await tx.target(DocumentType, id);
      // an approver may have left the organization since the draft was saved
      await requireDefinition(type.draft, directory);
      await requireFiles(type);
      await requirePrintableType(tx, type.draft);
      requireOwnNumbers(
        type.code,
        type.draft,
        (await tx.list(DocumentTypeVersion, { type_id: id })).map(({ definition }) => definition),
      );
      const number = (type.published_version ?? 0) + 1;
      const version = await tx.insert(DocumentTypeVersion, {
        type_id: id,
        number,
        name: type.name,
        definition: type.draft,
        file: type.file,
        files: type.files,
        published_by: ctx.actor,
      });
      await tx.update(type, { published_version: number });
      return version;
    });
  }

  async versionsOf(ctx: Ctx, id: string, query: DocumentTypeVersionsQuery): Promise<Page<DocumentTypeVersion>> {
    await this.get(ctx, id);
    return this.store.page(ctx, DocumentTypeVersion, query, { type_id: id });
  }

  private async directory(ctx: Ctx): Promise<Directory> {
    const [members, roles, able] = await Promise.all([
      this.members.list(ctx),
      this.members.roles(ctx),
      this.members.rolesWith(ctx, APPROVE),
    ]);
    const active = members.filter(({ status }) => status === 'active');
    const people = new Map(active.flatMap((member) => [[member.id, member] as const, [member.email, member] as const]));
    const person = (ref: string) => people.get(ref.trim().toLowerCase());
    const approverProblem: Directory['approverProblem'] = ({ kind, ref }) => {
      const name = ref ?? '';
      if (kind === 'role') {
        if (!roles.includes(name)) return `names ${name}, which is not a role`;
        return able.includes(name) ? null : `names ${name}, a role without the permission ${APPROVE}`;
      }
      const member = person(name);
      if (!member) return `names ${name}, who is not an active member`;
      return mayApprove(member) ? null : `names ${name}, who may not approve: their role lacks the permission ${APPROVE}`;
    };
    return {
      approverProblem,
      memberId: (ref) => person(ref)?.id ?? null,
      isMember: (email) => people.get(email)?.email === email,
      tokens: typesOf(Object.fromEntries(this.catalog.definitions)),
    };
  }
}
