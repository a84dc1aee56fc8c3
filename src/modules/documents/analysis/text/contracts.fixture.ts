/* oxlint-disable local/max-len -- the contracts have one paragraph per line, as they are submitted */
// Contracts written for the tests, in the manner of real ones; people and companies are invented.

export const SERVICES = `SERVICES AGREEMENT

This Services Agreement (the "Agreement") is made on 1 March 2026 (the "Effective Date") between Harrow & Finch Ltd., a company incorporated in England with its registered office at 14 Mill Lane, Leeds (the "Supplier"), and Brightwater Foods GmbH, a company organised under the laws of Germany with its seat in Hamburg (the "Customer").

1. SERVICES
1.1 The Supplier shall host, operate and support the ordering platform described in Annex A (the "Services").
1.2 The Supplier may at any time change the Services and the fees by publishing a new price list on its website.
1.3 The Customer shall purchase hosting and support for its ordering platform exclusively from the Supplier during the term.

2. FEES AND PAYMENT
2.1 The Customer shall pay a set-up fee of EUR 18,500.00, due on 15 April 2026, and a monthly fee of EUR 4,250.
2.2 Invoices are payable within 14 days. Overdue sums bear interest at 2% per month until they are paid.
2.3 All fees are exclusive of VAT.

3. TERM AND RENEWAL
3.1 The Agreement begins on the Effective Date and continues until 28 February 2029.
3.2 It renews automatically for successive periods of 24 months unless the Customer gives notice at least 180 days before the end of the current period.

4. TERMINATION
4.1 The Supplier may terminate this Agreement at any time without notice and without giving reasons.
4.2 Either party may terminate with immediate effect if the other commits a material breach and does not remedy it within 30 days.

5. LIABILITY AND INDEMNITY
5.1 The Customer's liability under this Agreement is unlimited.
5.2 In no event shall the Supplier be liable for loss of profit, loss of data or any indirect damage.
5.3 The Customer shall indemnify and hold harmless the Supplier against all claims of third parties arising from the use of the Services, e.g. claims of end users, and shall bear the costs of defence.

6. CONFIDENTIALITY
Each party shall keep the other's confidential information secret for five years after the end of this Agreement.

7. GENERAL
7.1 The Supplier may assign this Agreement to any third party without the Customer's consent.
7.2 This Agreement is governed by the laws of England and Wales. The courts of London have exclusive jurisdiction.

Signed by the parties on 27 February 2026.
`;

export const EMPLOYMENT = `EMPLOYMENT AGREEMENT

Employer: Northgate Instruments Inc.
Employee: Maria Delgado

1. Position. The Employer employs the Employee as Senior Test Engineer. Employment begins on January 12, 2026 in Columbus, State of Ohio.

2. Remuneration. The Employer shall pay an annual salary of $96,000 in twelve equal instalments, and may grant a discretionary bonus of up to $9,600.

3. Working hours. The Employee works 40 hours a week. The Employer may change the Employee's duties and place of work at its sole discretion.

4. Inventions. The Employee hereby irrevocably assigns to the Employer all right, title and interest in every invention and work of authorship made during the employment, including those made outside working hours.

5. Non-competition. For a period of eighteen (18) months after the end of the employment the Employee shall not, anywhere in North America, work for or hold shares in a business that competes with the Employer.

6. Confidentiality. The Employee shall keep the Employer's trade secrets confidential indefinitely.

7. Termination. The Employer may terminate the employment on 14 days' notice. The Employee may terminate the employment on 90 days' notice.

8. Penalty. If the Employee breaches clause 5 or 6, the Employee shall pay a contractual penalty of $25,000 for each breach.

9. Personal data. The Employer processes the Employee's personal data as its privacy notice describes.

10. Law. This agreement is governed by the laws of the State of Ohio.
`;

export const LEASE = `# Lease of Commercial Premises

Between **Oakfield Estates Limited** (the **"Landlord"**) and **Juniper Bakery LLP** (the **"Tenant"**), dated 5th May 2026.

## 1. Premises
The Landlord lets to the Tenant the ground floor of 7 Station Parade, about 120 square metres, for use as a bakery and café.

## 2. Term
2.1 The term is five years from 01/06/2026 to 31/05/2031.
2.2 The lease is extended automatically by one year at a time unless the Tenant gives six months' written notice.

## 3. Rent
3.1 The Tenant shall pay a monthly rent of £2,150.50, payable in advance on the first day of each month.
3.2 The Tenant shall pay a deposit of £6,451.50 by 20 May 2026.
3.3 The Landlord may increase the rent at any time by written notice.

## 4. Repairs and insurance
(a) The Tenant shall keep the premises in good repair.
(b) The Tenant shall insure the premises for at least £1.2 million.
(c) The Tenant shall indemnify the Landlord against all losses arising from the use of the premises.

## 5. Access
The Landlord may inspect the premises at any reasonable time.

## 6. Ending the lease
The Landlord may terminate this lease on 30 days' notice.
`;

export const GERMAN_SERVICES = `Dienstleistungsvertrag

zwischen der Sonnhof Verlag GmbH, Lindenstr. 4, 10969 Berlin – nachfolgend „Auftraggeber“ genannt – und Frau Dr. Ines Kolbe, Am Wall 9, 28195 Bremen – nachfolgend „Auftragnehmer“ genannt –

§ 1 Vertragsgegenstand
(1) Der Auftragnehmer erbringt Lektoratsleistungen gem. Anlage 1, z. B. die Prüfung von Manuskripten.
(2) Der Auftragnehmer darf während der Laufzeit nicht für andere Verlage tätig werden und unterlässt jeden Wettbewerb.

§ 2 Vergütung
(1) Das Honorar beträgt 3.400,00 EUR monatlich, zahlbar bis zum 5. des Folgemonats.
(2) Der Auftraggeber ist berechtigt, die Vergütung jederzeit nach billigem Ermessen anzupassen.

§ 3 Laufzeit und Kündigung
(1) Der Vertrag beginnt am 1. April 2026 und endet am 31.03.2027.
(2) Er verlängert sich stillschweigend um jeweils ein Jahr, wenn er nicht drei Monate vor Ablauf gekündigt wird.
(3) Der Auftraggeber kann den Vertrag jederzeit ohne Einhaltung einer Frist kündigen.

§ 4 Haftung
(1) Der Auftragnehmer haftet unbeschränkt für alle Schäden.
(2) Der Auftragnehmer stellt den Auftraggeber von allen Ansprüchen Dritter frei.
(3) Für jeden Verstoß wird eine Vertragsstrafe von 5.000 € fällig.

§ 5 Schlussbestimmungen
Es gilt deutsches Recht. Ausschließlicher Gerichtsstand ist Berlin.
`;
