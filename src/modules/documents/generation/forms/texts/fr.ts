import type { FormTexts } from './en.js';

export const FR: FormTexts = {
  rejectedTitle: (title) => `Pas encore envoyé : ${title}`,
  sentTitle: (title) => `Envoyé : ${title}`,
  notSent: 'Rien n’a encore été envoyé',
  thanks: 'Merci. Vos réponses nous sont parvenues.',
  tooMany: (minutes) =>
    `Trop d’envois proviennent de votre réseau. Vos réponses sont toujours là : veuillez les renvoyer dans ${minutes} minutes.`,
  send: 'Envoyer',
  optional: 'facultatif',
  choose: 'Veuillez choisir',
  row: (label, row) => `${label}, ligne ${row}`,
  hints: {
    money: (currency, example) => `En ${currency}, par exemple ${example}`,
    phone: 'Avec l’indicatif du pays, par exemple +33 1 42 34 56 78',
    time: (zone) => `Dans le fuseau horaire ${zone}`,
  },
  problems: {
    required: (label) => `${label} : à remplir.`,
    tick: (label) => `Veuillez cocher : ${label}`,
    money: (label, example) => `${label} : indiquez un montant, par exemple ${example}.`,
    negative: (label) => `${label} : le montant ne peut pas être négatif.`,
    integer: (label, example) => `${label} : indiquez un nombre entier, par exemple ${example}.`,
    number: (label, example) => `${label} : indiquez un nombre, par exemple ${example}.`,
    email: (label) => `${label} : indiquez une adresse e-mail valable.`,
    date: (label) => `${label} : indiquez un jour.`,
    time: (label) => `${label} : indiquez un jour et une heure.`,
    uri: (label) => `${label} : indiquez une adresse qui commence par https://.`,
    phone: (label) => `${label} : indiquez un numéro avec l’indicatif du pays, par exemple +33 1 42 34 56 78.`,
    party: (label) => `${label} : indiquez le nom d’une personne ou d’une société, sur une ligne de 255 caractères au plus.`,
    user: (label) => `${label} : indiquez l’adresse e-mail d’un membre.`,
    currency: (label) => `${label} : indiquez le code d’une monnaie, par exemple EUR.`,
    format: (label) => `${label} : la réponse n’a pas la forme demandée.`,
    oneOf: (label, values) => `${label} : les valeurs possibles sont ${values}.`,
    shortest: (label, limit) => `${label} : au moins ${limit} caractères.`,
    longest: (label, limit) => `${label} : au plus ${limit} caractères.`,
    least: (label, limit) => `${label} : au moins ${limit}.`,
    most: (label, limit) => `${label} : au plus ${limit}.`,
    above: (label, limit) => `${label} : plus de ${limit}.`,
    below: (label, limit) => `${label} : moins de ${limit}.`,
    multiple: (label, of) => `${label} : indiquez un multiple de ${of}.`,
    fewestRows: (label, limit) => `${label} : au moins ${limit} lignes.`,
    mostRows: (label, limit) => `${label} : au plus ${limit} lignes.`,
    invalid: (label) => `${label} : la réponse n’est pas valable.`,
  },
  upload: {
    label: 'PDF rempli',
    hint:
      'Les valeurs du fichier sont copiées dans les champs ci-dessous et remplacent leur contenu. ' +
      'Rien n’est encore envoyé. Au plus 10 Mio.',
    button: 'Remplir depuis le fichier',
    notRead: (name) =>
      `PDF rempli : ${name} n’a pas été lu. Choisissez-le de nouveau et appuyez sur « Remplir depuis le fichier », ou envoyez sans lui.`,
    tooLarge: 'PDF rempli : le fichier dépasse 10 Mio.',
    none: 'PDF rempli : choisissez d’abord un fichier.',
    noPdf: 'PDF rempli : le fichier n’est pas un PDF.',
    noText:
      'PDF rempli : le fichier n’a pas de texte là où devraient être les valeurs ; une page numérisée ne peut pas être lue. ' +
      'Veuillez remplir les champs ci-dessous.',
    unreadable: () => 'PDF rempli : le fichier ne peut pas être lu.',
    unable: 'PDF rempli : ce formulaire ne peut pas lire de fichiers pour le moment. Veuillez remplir les champs ci-dessous.',
    busy:
      'PDF rempli : trop de fichiers sont en cours de lecture, ou celui-ci prend trop de temps. ' +
      'Veuillez réessayer bientôt, ou remplir les champs.',
    field: (label) => `${label} : la valeur n’a pas pu être lue dans le fichier.`,
    rows: (label, rows, most) =>
      `${label} : le fichier a ${rows} lignes, ce formulaire en prend ${most}. Les autres sont laissées de côté.`,
    filledNone: 'Aucun champ n’a été rempli depuis le fichier. Veuillez remplir les champs, puis envoyer.',
    filled: (count) =>
      `${count === 1 ? '1 champ a été rempli' : `${count} champs ont été remplis`} depuis le fichier. Vérifiez tout, puis envoyez.`,
  },
};
