import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  CommonErrors,
  DomainError,
  FileResponse,
  PRIVATE_HEADERS,
  Public,
  redirect,
  Store,
  Visitor,
  type FormProblem,
  currentTime,
} from '../../../../../kit/index.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import type { FieldInFile } from '../../../model/core/placed-fields.js';
import { Document } from '../../../model/records/document.entity.js';
import { filledInBy, SignatureParty, signersOf } from '../../../model/records/signature-party.entity.js';
import { gonePage } from '../../../pages/gone-page.js';
import { Contents } from '../../content/contents.service.js';
import { Endings } from '../../content/endings.service.js';
import { ShownContents } from '../../content/shown-contents.service.js';
import { PagePictures, type PdfSource } from '../../../engine/pictures/page-pictures.service.js';
import { pageTextResponse, pictureResponse } from '../../content/page-responses.js';
import { DownloadQuery, PageTextQuery, PictureQuery, type PartQuery } from '../../content/pages.dto.js';
import { fieldStates } from './field-states.js';
import { SealFailures } from './seal-failures.service.js';
import { SigningLinks, standingOf, stateText, type SigningLink } from './signing-links.service.js';
import { DeclineDto, DelegateDto, FieldsDto, SignDto } from './signing.dto.js';
import { declinedPage, delegatedPage, frameAncestorsOf, signingPage } from './signing.page.js';
import { Signing } from './signing.service.js';

/** The public pages and forms of a signing link. */
@Controller('/s/:token')
export class SigningController {
  constructor(
    private readonly store: Store,
    private readonly links: SigningLinks,
    private readonly signing: Signing,
    private readonly contents: Contents,
    private readonly shown: ShownContents,
    private readonly pictures: PagePictures,
    private readonly failures: SealFailures,
    private readonly endings: Endings,
  ) {}

  @Get()
  @Public('Anyone with the mailed link may read the document and sign it', {
    writesOnGet: 'That the party has opened the document; the link for a frame is used up',
  })
  open(@Param('token') token: string, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor.requestId, async (link) => {
      if (link.kind === 'embed') return redirect(`/s/${await this.links.openFrame(link)}`);
      await this.signing.view(link, visitor);
      return this.page(link);
    });
  }

  @Get('pdf')
  @Public('Anyone with the mailed link may download the document')
  pdf(@Param('token') token: string, @Query() { part }: DownloadQuery, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    return this.answer(token, requestId, async (found) => {
      const { link, document, party } = await this.read(found);
      const { pdf, filename } = await this.shown.download(link.ctx, { ...link, document, revision: party.revision }, part);
      return new FileResponse('application/pdf', pdf, { filename, headers: PRIVATE_HEADERS });
    });
  }

  @Get('pages/:page')
  @Public('Anyone with the mailed link may see the pages of the document', { partOfPage: true })
  picture(
    @Param('token') token: string,
    @Param('page') page: string,
    @Visitor() { requestId }: Visitor,
    @Query() query: PictureQuery,
  ): Promise<FileResponse> {
    return this.answer(token, requestId, async (found) => pictureResponse(this.pictures, await this.source(found, query), page, query));
  }

  @Get('pages/:page/text')
  @Public('Anyone with the mailed link may read the pages of the document', { partOfPage: true })
  text(
    @Param('token') token: string,
    @Param('page') page: string,
    @Visitor() { requestId }: Visitor,
    @Query() query: PageTextQuery,
  ): Promise<FileResponse> {
    return this.answer(token, requestId, async (found) => pageTextResponse(this.pictures, await this.source(found, query), page, query));
  }

  @Post('fields')
  @HttpCode(200)
  @Public('Anyone with the mailed link may check what it fills in', { partOfPage: true })
  fields(@Param('token') token: string, @Body() { fields = {} }: FieldsDto, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    return this.answer(token, requestId, async (found) => {
      const { link, document, party, standing } = await this.read(found);
      if (standing !== 'open') throw CommonErrors.notFound();
      const parties = await this.store.list(link.ctx, SignatureParty, { document_id: document.id, revision: party.revision });
      const states = fieldStates({
        fields: await this.contents.fields(link.ctx, document, party.revision),
        party: party.key,
        given: fields,
        earlier: filledInBy(signersOf(parties)),
        language: link.look.language,
      });
      return new FileResponse('application/json', JSON.stringify({ fields: states }), { headers: PRIVATE_HEADERS });
    });
  }

  @Post('sign')
  @HttpCode(200)
  @Public('Anyone with the mailed link may sign the document')
  sign(@Param('token') token: string, @Body() form: SignDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    // a form without a ticked box has no field for it
    const sent = { ...form, fields: form.fields ?? {} };
    return this.answer(token, visitor.requestId, async (link) => {
      try {
        return await this.respond(link, await this.signing.sign(link, form, visitor), sent);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { notSealed, cannotBeSealed } = link.look.texts.problems;
        const texts: Record<string, string> = {
          [CommonErrors.unavailable.spec.code]: notSealed,
          [DocumentErrors.cannotBeSealed.spec.code]: cannotBeSealed,
        };
        const text = texts[error.spec.code] as string | undefined;
        if (text === undefined) throw error;
        if (error.spec.code === DocumentErrors.cannotBeSealed.spec.code) await this.failures.report(link);
        return this.page(link, sent, [{ field: null, text }], error);
      }
    });
  }

  @Post('code')
  @HttpCode(200)
  @Public('Anyone with the mailed link may request a code by mail')
  code(@Param('token') token: string, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    return this.answer(token, requestId, async (link) => this.respond(link, await this.signing.sendCode(link), {}));
  }

  @Post('decline')
  @HttpCode(200)
  @Public('Anyone with the mailed link may decline to sign')
  decline(@Param('token') token: string, @Body() form: DeclineDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor.requestId, async (link) => {
      const problems = await this.signing.decline(link, form, visitor);
      return problems.length > 0
        ? this.page(link, form, problems)
        : declinedPage(link, await this.store.get(link.ctx, Document, link.documentId));
    });
  }

  @Post('delegate')
  @HttpCode(200)
  @Public('Anyone with the mailed link may pass the document on, if the type allows it')
  delegate(@Param('token') token: string, @Body() form: DelegateDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor.requestId, async (link) => {
      const problems = await this.signing.delegate(link, form, visitor);
      return problems.length > 0 ? this.page(link, form, problems) : delegatedPage(link, (form.delegate_name ?? '').trim());
    });
  }

  /** A link that no longer works leads to a page that says why. */
  private async answer(
    token: string,
    requestId: string,
    act: (link: SigningLink) => FileResponse | Promise<FileResponse>,
  ): Promise<FileResponse> {
    const link = await this.links.find(token, requestId);
    try {
      return await act(link);
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec.code !== DocumentErrors.linkExpired.spec.code) throw error;
      return this.gone(link, error.message);
    }
  }

  private async gone(link: SigningLink, reason: string): Promise<FileResponse> {
    const document = await this.store.find(link.ctx, Document, link.documentId);
    const { texts } = link.look;
    const state = document && stateText(link, document);
    return gonePage(link.look, {
      purpose: texts.purposes.sign,
      title: document?.title ?? null,
      reason,
      state: state === reason ? null : state,
      ending: document && (await this.endings.of(link.ctx, document, link.look)),
      frameAncestors: frameAncestorsOf(link),
    });
  }

  private respond(link: SigningLink, problems: FormProblem[], form: SignDto): FileResponse | Promise<FileResponse> {
    return problems.length > 0 ? this.page(link, form, problems) : redirect(`/s/${link.token}`);
  }

  /** `failure`: why the form could not be processed although nothing is wrong with it. */
  private async page(
    link: SigningLink,
    form?: SignDto & DeclineDto & DelegateDto,
    problems?: FormProblem[],
    failure?: DomainError,
  ): Promise<FileResponse> {
    const read = await this.read(link);
    const { revision } = read.party;
    const parties = await this.store.list(link.ctx, SignatureParty, { document_id: link.documentId, revision });
    parties.sort((one, other) => one.turn - other.turn);
    const subject = { ...link, document: read.document, revision };
    const content = await this.shown.html(link.ctx, subject);
    const fields = await this.contents.fields(link.ctx, read.document, revision);
    const { key } = read.party;
    const given = form?.fields ?? null;
    const { language } = link.look;
    const states = fieldStates({ fields, party: key, given, earlier: filledInBy(signersOf(parties)), language });
    const placed = { fields: inReadingOrder(fields.filter(({ party }) => party === key)), given, states, language };
    const files = await this.shown.files(link.ctx, subject);
    const nameOf = (at: number) => (files.length === 1 ? null : (files.find(({ position }) => position === at)?.name ?? null));
    const earlier = await this.contents.earlierSignatures(link.ctx, read.document);
    const signatures = earlier.map((file) => ({ name: nameOf(file.position), signatures: file.signatures }));
    return signingPage({ ...read, parties, content, files, placed, signatures, form, problems, failure });
  }

  private async source(found: SigningLink, { part: position }: PartQuery): Promise<PdfSource> {
    const { link, document, party } = await this.read(found);
    return this.shown.source(link.ctx, { ...link, document, revision: party.revision, position });
  }

  /** Rejects links that no longer work. */
  private async read(link: SigningLink) {
    const document = await this.store.get(link.ctx, Document, link.documentId);
    const party = await this.store.find(link.ctx, SignatureParty, link.partyId);
    const isSealed = party?.status === 'signed' && (await this.contents.isSealed(link.ctx, document, party.revision));
    const standing = standingOf(link, document, party, currentTime(), isSealed);
    return { link, document, party: party as SignatureParty, standing };
  }
}

function inReadingOrder(fields: readonly FieldInFile[]): FieldInFile[] {
  return [...fields].sort((one, other) => one.position - other.position || one.page - other.page || one.y - other.y || one.x - other.x);
}
