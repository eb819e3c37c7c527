/**
 * A synthetic emergency department: the 23 conditions of the paper, the words of its table of learned medical concepts
 * (misprints corrected), and further words, anchors and dependences.
 *
 * Every figure here is invented to test software. None of it is clinical knowledge, and none of it describes patients.
 *
 * All figures are per cent. A condition is written so:
 *
 *     name <- parents: how often it is present. With parents: by their state, in the order absent, present for one parent,
 *       and none, second only, first only, both for two.
 *       how often at least one anchor is written when it is present, and when it is not: anchors, that of the paper first
 *       words, each with how often the condition alone writes it
 *
 * Words are independent given the conditions, as in the model: a note may show two ages.
 */
export const conditionTable = `
abdominal pain <- kidney stone, gastrointestinal bleed: 11 26 30 40
  85 2: abdominal pain, abd pain, belly pain, stomach pain
  pain 65, dispensed:ondansetron 40, nausea 50, neg:fevers 40, dispensed:morphine sulfate 30, vomiting 40,
  days 30, dispensed:hydromorphone (dilaudid) 20, neg:vomiting 20, neg:diarrhea 25, abdomen 30, epigastric 18,
  tender 30, ct abdomen 25, diarrhea 15, neg:chills 15, med-history:omeprazole 12
alcohol: 12
  88 1: etoh, intoxicated, alcohol intoxication
  sex:m 40, sober 40, admits 25, found 30, drink 30, dispensed:thiamine 30, dispensed:folic acid 28,
  dispensed:diazepam 25, dispensed:multivitamins 25, ambulatory 12, withdrawal 15, detox 14, neg:trauma 12,
  age 40 12, age 50 15, slurred speech 10, ems 20
allergic reaction <- asthma-copd, urinary tract infection: 2.5 9 12 20
  80 1.5: allergy, allergic reaction, anaphylaxis
  disposition 30, initial vitals 35, pending 25, consults 30, interventions 35, trigger 20, imaging 30,
  ed 40, diagnosis 40, pain 12, hives 40, rash 35, itching 30, swelling 20, dispensed:diphenhydramine 45,
  dispensed:famotidine 35, dispensed:prednisone 25, dispensed:epinephrine 12, throat 20, neg:sob 15,
  antibiotics 14
asthma-copd: 10
  88 1.5: asthma, copd, asthma exacerbation, copd exacerbation
  med-history:albuterol sulfate 55, sob 50, dispensed:methylprednisolone sodium succ 25, cough 45, nebs 40,
  med-history:spiriva with handihaler 20, home 25, days 30, dyspnea 25, wheezing 40, dispensed:albuterol neb 45,
  dispensed:ipratropium bromide neb 42, dispensed:prednisone 30, med-history:fluticasone 30,
  dispensed:azithromycin 20, neg:cp 20, cxr 25
back pain <- motor vehicle collision, fall: 6 15 35 40
  82 1.2: back pain, lumbago, lbp
  pain 70, neg:or 30, neg:pain 15, back 50, denies 30, lower back 30, dispensed:oxycodone-acetaminophen 28,
  neg:of 20, low back 25, neg:bowel 25, neg:incontinence 25, neg:numbness 25, neg:weakness 25, radiating 15,
  dispensed:ibuprofen 20, dispensed:diazepam 15, dispensed:cyclobenzaprine 12, leg 15, neg:trauma 12
cellulitis <- hiv+: 6 16
  75 0.6: cellulitis, skin infection, soft tissue infection
  ed 40, admit 35, swelling 45, imaging 25, diagnosis 30, days 40, consults 25, iv 35, leg 40,
  interventions 25, redness 50, erythema 40, abscess 20, dispensed:vancomycin 35, dispensed:cefazolin 15,
  foot 18, neg:fevers 25, antibiotics 28, wound 18, tender 20, dm 18, med-history:insulin 15
stroke: 5
  75 1: stroke, cva, tia
  age 80 30, admit 40, patient 25, head 25, ekg 30, weakness 40, ed 35, ct head 40, neuro 35, htn 30,
  neurology 30, facial droop 30, slurred speech 28, left 22, right 20, numbness 20, mri 25,
  med-history:warfarin 14, med-history:aspirin 28, med-history:simvastatin 25, med-history:lisinopril 20,
  dispensed:aspirin 22, age 70 22, confusion 15
epistaxis <- liver failure (history), fall: 1.8 4 6 9
  88 0.2: epistaxis, nosebleed, nose bleed
  nose 60, bleeding 45, blood 30, neg:bleeding 20, ekg 12, neg:with 15, ed 30, bleed 20, consults 20,
  today 30, packing 30, ent 30, dispensed:oxymetazoline 45, clots 15, coumadin 18, inr 20, htn 18,
  med-history:warfarin 18, med-history:aspirin 22
fall <- alcohol, syncope: 8 40 20 45
  60 1: fell down, mechanical fall, trip and fall, witnessed fall
  pain 45, denies 25, neg:pain 15, p fall 40, neg:or 25, ed 30, imaging 30, consults 25, interventions 25,
  neg:loc 45, fall 45, fell 45, tripped 25, slipped 18, head 30, hip 20, laceration 20, fracture 22, xray 28,
  age 80 20, age 70 14, c-collar 10, ct head 18, neg:dizziness 15
gastrointestinal bleed <- liver failure (history), alcohol: 4 7 24 30
  70 0.5: gi bleed, gib, upper gi bleed, lower gi bleed
  blood 50, dispensed:pantoprazole sodium 40, hct 40, gi 45, stool 40, admit 40, rectal 35, today 22,
  dispensed:lidocaine jelly 2% (urojet) 12, melena 30, guaiac 32, brbpr 25, bleeding 30, colonoscopy 18,
  hematemesis 14, inr 16, icu 12, lightheaded 12, med-history:omeprazole 20, med-history:aspirin 20
headache <- intracranial hemorrhage, motor vehicle collision: 7 20 35 45
  85 1.5: headache, headaches, ha
  head 35, nausea 30, today 22, neg:or 25, denies 28, neg:pain 15, days 28, dispensed:acetaminophen 25,
  pain 40, neck pain 18, photophobia 22, neg:photophobia 20, migraine 25, dispensed:metoclopramide 25,
  dispensed:ketorolac 20, dispensed:diphenhydramine 15, ct head 22, neg:neck stiffness 22, frontal 15,
  vomiting 15, neg:numbness 14
hematuria <- kidney stone, urinary tract infection: 2 14 32 42
  80 0.4: hematuria, bloody urine, blood in urine
  sex:m 40, urine 40, urology 35, blood 38, foley 35, neg:pain 15, days 22, neg:fevers 22, dysuria 25,
  bladder 25, clots 25, ua 30, prostate 15, hct 12, med-history:tamsulosin 22,
  dispensed:lidocaine jelly 2% (urojet) 25, age 70 16
hiv+: 4
  88 0.3: hiv, aids, hiv disease
  sex:m 45, med-history:truvada 40, cd4 45, age 40 30, med-history:ritonavir 30, days 22, pcp 25, cough 22,
  fever 28, denies 20, viral load 25, haart 20, med-history:atazanavir 20, med-history:bactrim ds 16, hep c 12,
  age 50 18
intracranial hemorrhage <- fall, stroke: 1.2 13 11 25
  82 0.4: ich, sdh, sah, subdural
  osh 50, ct 40, fall 35, age 80 30, found 28, head ct 35, transfer 40, sex:m 20, repeat 25, small 22,
  neurosurgery 40, neuro 25, coumadin 18, inr 18, dispensed:phenytoin 22, frontal 14, gcs 18, intubated 14,
  icu 25, confusion 14, left 15, right 15, med-history:warfarin 14
kidney stone: 4
  75 0.3: kidney stone, nephrolithiasis, renal colic
  pain 55, flank pain 60, dispensed:ondansetron 40, dispensed:ketorolac 50, stone 45, nausea 45,
  urology 22, ct 35, dispensed:morphine sulfate 35, vomiting 25, hydronephrosis 20, groin 22, radiating 18,
  ua 28, left 20, right 20, dispensed:tamsulosin 15, dispensed:hydromorphone (dilaudid) 25, neg:fevers 25,
  dysuria 12
liver failure (history) <- alcohol: 3 11
  82 0.3: cirrhosis, cirrhotic, esld, liver failure
  sex:m 25, liver 50, age 50 30, med-history:lactulose 45, admit 30, ed 20, med-history:folic acid 22,
  med-history:furosemide 32, med-history:multivitamin 25, med-history:lasix 20, ascites 35,
  med-history:spironolactone 35, med-history:rifaximin 22, encephalopathy 22, hep c 22, transplant 18,
  paracentesis 22, inr 20, confusion 16, dispensed:lactulose 22, abdomen 14
motor vehicle collision <- alcohol: 4.5 9
  86 0.2: mvc, mva, car accident
  car 50, neg:loc 45, age 20 30, hit 35, neck 40, neg:head 20, driver 40, mph 35, neg:airbag 28, front 22,
  restrained 40, seatbelt 28, rear ended 28, neck pain 30, c-collar 25, c-spine 25, pain 35, ambulatory 18,
  dispensed:ibuprofen 25, dispensed:cyclobenzaprine 14, ems 16
pneumonia <- hiv+, asthma-copd: 6 15 18 28
  80 0.8: pna, pneumonia, hcap
  cxr 55, admit 45, sex:m 10, cough 50, ed 25, fever 40, diagnosis 22, ekg 22, medicine 30,
  admit medicine 25, dispensed:levofloxacin 38, dispensed:ceftriaxone 28, dispensed:azithromycin 30, sputum 25,
  infiltrate 25, hypoxic 16, o2 25, sob 32, wbc 20, dispensed:vancomycin 15, age 80 15, blood cultures 18,
  antibiotics 15, temp 15
severe sepsis <- cellulitis, pneumonia: 1.2 18 14 20
  72 0.4: severe sepsis, septic shock, sepsis
  dispensed:fentanyl citrate 28, found 22, icu 50, osh 28, vanc 40, age 80 25, imaging 25, consults 25,
  interventions 28, lactate 50, hypotensive 40, ivf 30, central line 30, dispensed:norepinephrine 25,
  dispensed:piperacillin-tazobactam 32, dispensed:vancomycin 40, fever 30, tachycardic 28, wbc 25,
  blood cultures 28, intubated 22, altered 22, bp 25, nursing home 16, temp 20
sexual assault <- alcohol: 1.8 4.5
  86 0.1: sane nurse, sane kit, sexual assault
  patient 30, dispensed:ondansetron odt 30, evaluation 25, ceftriaxone 35, man 25, eval 25, age 30 20,
  home 20, plan 20, flagyl 35, police 35, assaulted 40, dispensed:azithromycin 35, dispensed:metronidazole 30,
  prophylaxis 35, plan b 25, social work 30, age 20 35, states 18, safe 14
suicidal ideation <- alcohol, sexual assault: 4 14 20 32
  85 0.8: si, suicidal, suicide attempt
  depression 45, neg:hi 45, denies 30, states 25, neg:si 15, plan 35, dispensed:lorazepam 28, eval 30,
  age 40 20, section 30, psych 50, bipolar 22, anxiety 22, safe 15, sitter 20, medically cleared 25,
  neg:hallucinations 18, social work 12, med-history:quetiapine 18, med-history:clonazepam 16
syncope <- stroke: 6 14
  80 0.6: syncope, syncopal, near syncope
  ekg 50, neg:pain 22, fall 22, head 25, fell 25, denies 28, neg:cp 40, ed 25, neg:of 18, loc 35, dizzy 25,
  lightheaded 30, passed out 28, neg:palpitations 25, neg:sob 25, vasovagal 18, telemetry 16, ivf 12,
  neg:incontinence 12, age 80 14, bp 12, med-history:metoprolol 16
urinary tract infection <- asthma-copd: 11 3.5
  75 1: uti, urinary tract infection, pyelonephritis, cystitis
  ed 35, imaging 25, consults 25, interventions 25, diagnosis 30, ua 45, cipro 35, admit 22, pending 20,
  disposition 22, dysuria 35, frequency 25, urine 35, dispensed:ciprofloxacin 35, dispensed:ceftriaxone 22,
  fever 22, foley 12, age 80 16, neg:flank pain 18, confusion 12, altered 10, nursing home 14, bladder 10`

/** How often a word is written whatever the patient has; some words belong to no condition. */
export const backgroundWords = `ed 28, pain 16, sex:m 34, denies 18, patient 22, days 14, today 14, admit 8, home 12,
  diagnosis 18, disposition 16, imaging 16, consults 14, interventions 15, initial vitals 15, pending 10, trigger 5,
  ekg 10, plan 10, neg:pain 8, neg:or 9, neg:of 7, neg:with 7, neg:fevers 8, neg:cp 8, neg:sob 7, neg:loc 4,
  neg:vomiting 5, neg:chills 5, nausea 6, left 8, right 9, ct 6, iv 8, bp 7, states 8, found 4, head 4, htn 9, ems 7,
  labs 12, age 20 9, age 30 10, age 40 9, age 50 10, age 60 12, age 70 8, age 80 6, dispensed:ondansetron 6,
  dispensed:acetaminophen 9, dispensed:sodium chloride 20, med-history:aspirin 9, med-history:lisinopril 9,
  med-history:omeprazole 8, med-history:metoprolol 7, med-history:simvastatin 8, med-history:multivitamin 6,
  med-history:furosemide 4, med-history:metformin 6, follow up 12, discharge 15, stable 11, triage 9,
  well appearing 7, md 8, cp 6, pmh 10`

/** The same for every other word. */
export const backgroundOtherwise = 1
