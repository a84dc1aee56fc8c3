/** Why people get mails about documents, in one language. */
export interface ReasonTexts {
  /** They sign it, or were asked to. */
  party: (organization: string) => string;
  /** They get a copy. */
  copy: (organization: string) => string;
  /** They created, submitted or sent it, or set documents up. */
  sender: string;
  approver: string;
  /** They are named as responsible for an obligation, or for the document. */
  responsible: string;
  /** They filled in a form, or approved or signed before. */
  involved: (organization: string) => string;
}

const EN: ReasonTexts = {
  party: (organization) => `You receive this mail because ${organization} has named you as a party that signs this document.`,
  copy: (organization) => `You receive this mail because ${organization} has named you as a recipient of copies of this document.`,
  sender: 'You receive this mail because you created, submitted or sent this document, or set up documents of your organization.',
  approver: 'You receive this mail because you decide on documents of your organization, or are the substitute of someone who does.',
  responsible: 'You receive this mail because you are responsible for this document or for what it obliges to.',
  involved: (organization) => `You receive this mail because you were involved in this document of ${organization}.`,
};

const DE: ReasonTexts = {
  party: (organization) => `Sie erhalten diese Mail, weil ${organization} Sie als Partei nennt, die dieses Dokument unterschreibt.`,
  copy: (organization) => `Sie erhalten diese Mail, weil ${organization} Sie als Empfänger von Kopien dieses Dokuments nennt.`,
  sender:
    'Sie erhalten diese Mail, weil Sie dieses Dokument erstellt, eingereicht oder gesendet haben ' +
    'oder die Dokumente Ihrer Organisation einrichten.',
  approver: 'Sie erhalten diese Mail, weil Sie über Dokumente Ihrer Organisation entscheiden oder jemanden dabei vertreten.',
  responsible: 'Sie erhalten diese Mail, weil Sie für dieses Dokument oder eine Pflicht daraus verantwortlich sind.',
  involved: (organization) => `Sie erhalten diese Mail, weil Sie an diesem Dokument von ${organization} beteiligt waren.`,
};

const FR: ReasonTexts = {
  party: (organization) => `Vous recevez ce courriel parce que ${organization} vous désigne comme signataire de ce document.`,
  copy: (organization) => `Vous recevez ce courriel parce que ${organization} vous désigne comme destinataire de copies de ce document.`,
  sender:
    'Vous recevez ce courriel parce que vous avez créé, soumis ou envoyé ce document, ou configurez les documents de votre organisation.',
  approver: 'Vous recevez ce courriel parce que vous décidez de documents de votre organisation, ou suppléez une personne qui en décide.',
  responsible: 'Vous recevez ce courriel parce que vous êtes responsable de ce document ou d’une obligation qui en résulte.',
  involved: (organization) => `Vous recevez ce courriel parce que vous avez participé à ce document de ${organization}.`,
};

const ES: ReasonTexts = {
  party: (organization) => `Recibe este correo porque ${organization} le nombra como parte que firma este documento.`,
  copy: (organization) => `Recibe este correo porque ${organization} le nombra como destinatario de copias de este documento.`,
  sender: 'Recibe este correo porque creó, presentó o envió este documento, o configura los documentos de su organización.',
  approver: 'Recibe este correo porque decide sobre documentos de su organización, o suple a quien decide.',
  responsible: 'Recibe este correo porque es responsable de este documento o de una obligación que resulta de él.',
  involved: (organization) => `Recibe este correo porque participó en este documento de ${organization}.`,
};

export const REASON_TEXTS = { EN, DE, FR, ES } as const;
