"""Who and what the sample data is made of. Everybody here is invented; the places are real."""
import datetime as dt

FIRST, LAST = dt.date(2026, 5, 21), dt.date(2026, 11, 20)
ITEM_COUNT, POST_COUNT = 300, 400

# --- where ---------------------------------------------------------------------------------------
# zone; UTC offset in minutes, and from which local time on another one; cosine of the latitude.
CITIES = {
    "lisbon": ("Europe/Lisbon", 60, dt.datetime(2026, 10, 25, 3), 0, 0.780),
    "kyoto": ("Asia/Tokyo", 540, dt.datetime(9999, 1, 1), 540, 0.819),
    "wellington": ("Pacific/Auckland", 720, dt.datetime(2026, 9, 27, 3), 780, 0.751),
    "porto": ("Europe/Lisbon", 60, dt.datetime(2026, 10, 25, 3), 0, 0.754),
    "taveuni": ("Pacific/Fiji", 720, dt.datetime(9999, 1, 1), 720, 0.957),
}
# Latitude,longitude of places of each sort, as people write positions.
PLACES = {
    "lisbon": {
        "home": "38.7223,-9.1393 38.7139,-9.1334 38.7312,-9.1370 38.7177,-9.1660 38.7478,-9.1405 38.7068,-9.1570 38.7682,-9.0964 38.6800,-9.1580",
        "track": "38.7527,-9.1597 38.7282,-9.1527 38.6947,-9.2070", "gym": "38.7343,-9.1450 38.7200,-9.1462 38.7531,-9.1440",
        "pool": "38.7427,-9.1337 38.7133,-9.1271", "park": "38.7146,-9.1597 38.7367,-9.1534 38.7286,-9.1845",
        "cafe": "38.7107,-9.1421 38.7168,-9.1489 38.7188,-9.1665", "studio": "38.7256,-9.1349 38.7069,-9.1556",
        "market": "38.7069,-9.1459 38.7318,-9.1345", "view": "38.7194,-9.1328 38.7096,-9.1477 38.6786,-9.1713",
        "beach": "38.6790,-9.3353 38.6445,-9.2386", "work": "38.7255,-9.1500 38.7660,-9.0960 38.7406,-9.1669"},
    "kyoto": {
        "home": "35.0116,135.7681 35.0300,135.7730 34.9876,135.7590 35.0446,135.7586 35.0150,135.6780 34.9330,135.7610",
        "track": "35.0250,135.7720 35.0251,135.7621 34.9935,135.7090", "gym": "35.0037,135.7596 35.0446,135.7590",
        "pool": "34.9920,135.7075 35.0390,135.7800", "park": "35.0037,135.7805 35.0210,135.7945 35.0487,135.7616",
        "cafe": "35.0090,135.7690 35.0300,135.7695", "studio": "35.0110,135.7480", "market": "35.0050,135.7649 34.9806,135.7477",
        "view": "34.9671,135.7727 35.0094,135.6668", "beach": "35.2300,135.9560", "work": "34.9858,135.7588 35.0262,135.7808"},
    "wellington": {
        "home": "-41.2924,174.7787 -41.3115,174.7795 -41.2760,174.7690 -41.3040,174.7660 -41.3170,174.7950 -41.2270,174.8720",
        "track": "-41.3210,174.7790 -41.2925,174.7935", "gym": "-41.2930,174.7760 -41.2770,174.7770",
        "pool": "-41.2916,174.7921 -41.3180,174.7935", "park": "-41.2829,174.7667 -41.2905,174.7533",
        "cafe": "-41.2941,174.7754 -41.2955,174.7680", "studio": "-41.3115,174.7800", "market": "-41.2905,174.7820",
        "view": "-41.2960,174.7944 -41.3400,174.7600", "beach": "-41.3280,174.7960 -41.2240,174.8780", "work": "-41.2865,174.7762"},
    "porto": {"any": "41.1496,-8.6110 41.1579,-8.6291 41.1407,-8.6132 41.1480,-8.6740"},
    # The 180th meridian crosses Taveuni: Vuna, Somosomo and Waiyevo lie west of it, the others east.
    "taveuni": {"any": "-16.9750,179.9010 -16.7670,179.9672 -16.7890,179.9823 -16.8268,-179.8790 -16.8672,-179.8763 -16.6905,-179.8770 -16.7900,-179.9000"},
}
SPREAD = {"track": 180, "park": 220, "beach": 250, "view": 60, "market": 50, "pool": 25, "gym": 20, "any": 150}  # metres; others 30
# place, from, to, who: events on these days are in the file of the travellers.
TRIPS = [("taveuni", dt.date(2026, 10, 3), dt.date(2026, 10, 12), "ben hana isla"), ("porto", dt.date(2026, 8, 7), dt.date(2026, 8, 12), "alice bruno")]

# --- who: id, name, language, habits -------------------------------------------------------------
USERS = {
    "lisbon": """alice|Alice Moreira|en|run read gym swim guitar japanese
        bruno|Bruno Tavares|pt|gym run guitar bike|
        carla|Carla Nogueira|pt|yoga read market walk|
        diogo|Diogo Sequeira|pt|surf run water|
        elena|Елена Маркова|ru|swim journal walk sketch|
        filipe|Filipe Antão|pt|bike climb read|
        graca|Graça Lourenço|pt|garden market call walk|
        helena|Helena Vaz|pt|meditate yoga read journal|
        ines|Inês Falcão|pt|run swim stretch sketch market|
        joao|João Pimenta|pt|guitar gym water litter|
        katerina|Κατερίνα Ρούσσου|el|yoga sketch read|
        layla|ليلى منصور|ar|read walk call journal|
        luis|Luís Brandão|pt|bike surf|
        marta|Marta Quintela|pt|climb run meditate water|
        nuno|Nuno Abrantes|pt|gym stretch|
        rita|Rita Salgado|pt|""",
    "kyoto": """aoi|高橋 葵|ja|run meditate read garden
        daichi|Daichi Morita|ja|bike gym climb water|
        emi|Emi Fujimoto|ja|yoga sketch market|
        haruto|西村 陽斗|ja|run swim guitar stretch|
        kenji|Kenji Okabe|ja|walk journal garden call|
        mei|石川 芽衣|ja|sketch meditate read yoga|
        naoko|Naoko Ueda|ja|walk market stretch garden|
        noam|נועם לביא|he|japanese bike run climb|
        ren|Ren Kuroda|ja|gym run water|
        sakura|Sakura Hayashi|ja|read swim walk litter|
        takumi|Takumi Ono|ja|guitar bike meditate stretch|
        yuki|Yuki Matsuda|ja|run read sketch meditate yoga""",
    "wellington": """aroha|Aroha Ngātai|en|swim surf litter garden
        ben|Ben Castleton|en|run gym bike read|
        charlotte|Charlotte Wynn|en|yoga walk journal market|
        finn|Finn Gallagher|en|surf guitar climb|
        george|George Petrie|en|garden walk call read|
        hana|Hana Te Rangi|en|run swim sketch meditate|
        isla|Isla Drummond|en|run surf sketch read water|
        mia|Mia Hartley|en|gym stretch journal climb|
        oliver|Oliver Kemp|en|bike guitar litter|
        ruby|Ruby Tanaka|en|japanese yoga swim walk|
        sefa|Sefa Leota|en|gym swim call stretch|
        tama|Tama Wharerau|en|walk garden litter journal""",
}
KEEP_PLACE_PRIVATE = {"helena", "ren"}      # share_location false: nothing of theirs has a position
FOLLOWED_BY_NOBODY = "tama"

# --- what: title (en|pt|ja), reason, weekday patterns from Monday, place, hour --------------------
HABITS = {
    "run": ("Morning run|Corrida matinal|朝ラン", "To feel awake before work", "1010101 1010010 0101001", "track", 6),
    "gym": ("Gym|Ginásio|ジム", "A stronger back", "1010100 0101010 1100100", "gym", 18),
    "read": ("Read 20 pages|Ler 20 páginas|読書20ページ", "Two books a month", "1111111 1111100", "cafe", 20),
    "swim": ("Swim 1 km|Nadar 1 km|水泳1km", "Kind to the knees", "0101010 0100100 1000010", "pool", 12),
    "yoga": ("Yoga|Ioga|ヨガ", "Calm, and no stiff neck", "0101000 1001000 0010010", "studio", 19),
    "guitar": ("Guitar practice|Praticar guitarra|ギター練習", "A whole song by spring", "1111100 1010100 0000011", "home", 21),
    "meditate": ("Meditate 10 min|Meditar 10 min|瞑想10分", "", "1111111", "park", 7),
    "japanese": ("Learn Japanese|Aprender japonês|日本語の勉強", "To read menus, then letters 🌸", "0101000 1001010", "studio", 17),
    "walk": ("Evening walk|Passeio à noite|夕方の散歩", "Less screen, more sky", "1111111 1111100 0000011", "park", 19),
    "bike": ("Bike to work|Ir de bicicleta|自転車通勤", "Save the bus fare", "1111100 1110000 0111000", "work", 8),
    "water": ("Drink 2 litres|Beber 2 litros|水を2リットル", "", "1111111", "", 22),
    "market": ("Buy local food|Ir ao mercado|市場で買い物", "Know who grows what we eat now", "0000010 0010010", "market", 9),
    "garden": ("Tend the garden|Cuidar da horta|庭の手入れ", "Tomatoes, at last", "0010001 0000011 0000001", "home", 10),
    "journal": ("Write a journal|Escrever o diário|日記を書く", "So that the days do not blur", "1111111 0000001", "home", 22),
    "climb": ("Climbing|Escalada|ボルダリング", "A first 6b before winter", "0000010 0100010", "gym", 17),
    "stretch": ("Stretch 5 minutes|Alongar 5 minutos|ストレッチ5分", None, "1111111 1111100", "home", 7),
    "call": ("Call the family|Ligar à família|家族に電話", "They are far away", "0000001 0010001", "home", 18),
    "sketch": ("Sketch outdoors|Desenhar na rua|スケッチ", "See more, scroll less", "0000011 0000010", "view", 15),
    "surf": ("Surf|Surf|サーフィン", "Nothing else clears my head", "0000011 0010010", "beach", 8),
    "litter": ("Pick up beach litter|Apanhar lixo|ごみ拾い", "A cleaner beach", "0000010 0000001", "beach", 11),
}
RATES = [0.96, 0.94, 0.88, 0.75, 0.62, 0.55, 0.35, 0.2]     # share of due days done
RATE_OF = {"alice-run": 0.96, "alice-read": 0.97, "alice-gym": 0.64, "alice-swim": 0.58, "alice-guitar": 0.2,
           "nuno-stretch": 0, "noam-climb": 0, "mia-journal": 0, "joao-litter": 0, "kenji-call": 0}
START_OF = {"alice-japanese": dt.date(2026, 12, 1), "alice-gym": FIRST, "alice-guitar": FIRST, "alice-read": FIRST, "alice-run": FIRST,
            "alice-swim": FIRST, "bruno-run": FIRST, "isla-run": FIRST, "yuki-read": FIRST, "luis-surf": FIRST, "emi-yoga": FIRST, "finn-climb": FIRST}
END_OF = {"luis-surf": dt.date(2026, 9, 30), "emi-yoga": dt.date(2026, 8, 31), "finn-climb": dt.date(2026, 10, 18)}
# habit, from, days: a new version of the weekdays
SCHEDULES = [("alice-gym", dt.date(2026, 8, 17), "0101010"), ("bruno-run", dt.date(2026, 9, 1), "1000100"),
             ("yuki-read", dt.date(2026, 7, 6), "0000011"), ("isla-run", dt.date(2026, 9, 28), "1111100"), ("isla-run", dt.date(2026, 11, 2), "1010100")]
WEEKDAYS = "mon tue wed thu fri sat sun".split()

COMMENTS = {
    "en": "felt great|tired today|rain again|new best!|short one|with Anna|windy|late, but done|easy pace|slow start|good company|half of it|back again",
    "pt": "soube bem|cansaço, mas foi|chuva outra vez|à pressa|com a Inês|manhã fresca|muito calor|bom ritmo|só metade|amanhã há mais|até já|não custou",
    "ja": "気持ちよかった|雨でも行った|少し疲れた|友達と一緒に|今日は短めに|いい天気|自己ベスト!|ゆっくり|眠い…|桜並木で",
    "el": "πολύ καλά|λίγο κουρασμένη|με βροχή|όμορφη μέρα", "ru": "хорошо пошло|немного устала|под дождём|ещё раз|Ёлки, жара!",
    "ar": "يوم جميل|متعبة قليلا|مع الأصدقاء|الحمد لله", "he": "הלך מצוין|קצת עייף|עם חברים",
}
# Comments that a careless reader or writer would spoil; none has more than 20 characters.
AWKWARD = ["a, b, and c", 'he said "go on"', "=1+1", "100% of the plan", "half_done", "one\ntwo", "", "it's fine; really", "+5 min, -2 km", "@home",
           "crème brûlée après", "Größe 42, Übung", "👨‍👩‍👧‍👦 family day", "👍🏽", "🏳️‍🌈 parade 🇵🇹🇯🇵🇳🇿", "👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀 three of us! 🎉🎉🎉", "<b>bold</b> & co",
           "exactly 20 letters !", "ทำได้ดี", "한 번 더", "C:\\new\\table", "NULL", "ночь / βράδυ", "مشي ٣ كم"]

# Things to give away (en|pt|ja) and the photo of each.
ITEMS = """Armchair, a bit worn|Poltrona, um pouco gasta|古い肘掛け椅子|chair
    Kitchen chair|Cadeira de cozinha|台所の椅子|chair
    Reading lamp|Candeeiro de leitura|読書灯|lamp
    Paper lantern|Lanterna de papel|提灯|lamp
    Enamel kettle|Chaleira esmaltada|ホーローのやかん|kettle
    Teapot "Iron Bird", 0.8 l|Bule "Iron Bird", 0,8 l|鉄瓶「鉄鳥」0.8L|kettle
    Child's bicycle, 16"|Bicicleta de criança, 16"|子供用自転車(16インチ)|bicycle
    City bicycle, needs a tyre|Bicicleta, falta um pneu|自転車(パンクあり)|bicycle
    Box of novels|Caixa de romances|小説ひと箱|books
    Picture books|Livros infantis|絵本|books
    Nylon-string guitar|Guitarra clássica|クラシックギター|guitar
    Tomato seedlings|Mudas de tomate|トマトの苗|plant
    Aloe vera, well loved|Aloé vera|アロエの鉢植え|plant
    Running shoes, size 42|Sapatilhas, n.º 42|ランニングシューズ 27cm|
    Yoga mat|Tapete de ioga|ヨガマット|
    Moving boxes (12)|Caixas de mudança (12)|引っ越し用段ボール(12枚)|
    Half a tin of blue paint|Meia lata de tinta azul|青いペンキ(半分)|
    Wetsuit, M|Fato de surf, M|ウェットスーツ M|"""
DESCRIPTIONS = {
    "en": "Works well, we have two.|Some scratches, otherwise fine.\nPick up in the evening.|First come, first served.|Free to a good home 🏡|",
    "pt": "Funciona bem, temos dois.|Tem uns riscos, de resto está ótimo.\nLevantar ao fim do dia.|Para quem vier primeiro.|Só levantamento, sem elevador.|",
    "ja": "まだ使えます。|少し傷がありますが問題ありません。\n夕方に取りに来てください。|早い者勝ちです。|引っ越しのためお譲りします。|",
}
MESSAGES = {        # the claimer begins, then they take turns
    "en": "Hello! Thank you, when may I come?|Tomorrow after six is best.|See you then, I'll bring a bag.|It is by the door. Enjoy!",
    "pt": "Olá! Obrigado, quando posso passar?|Amanhã depois das seis, pode ser?|Combinado, levo um saco.|Está à porta. Bom proveito!",
    "ja": "こんにちは。いつ取りに伺えますか?|明日の18時以降でお願いします。|わかりました。よろしくお願いします。|玄関に置いてあります。😊",
}
CAPTIONS = {        # caption and photo
    "lisbon": "Dusk on the Tagus=river|O 28 a subir outra vez=tram|Manhã na pista, ninguém à vista=track|Café e um capítulo, \"só mais um\"=books|Fim de tarde em Carcavelos 🌊=wave|À beira-rio=river|#treino=track",
    "kyoto": "千本鳥居、朝六時=gate|鴨川沿いを走る=river|今日の一杯 🍵=kettle|Torii before the crowds=gate|古本市で三冊=books|庭のトマト=plant",
    "wellington": "Harbour, no wind (!)=wave|Lyall Bay at low tide=wave|Kōwhai in the garden=plant|Hills, hills, hills=hills|Mōrena from Mt Victoria=hills|Track session, 100% mud=track",
    "taveuni": "Standing on the 180th meridian: today & yesterday=reef|Rainbow Reef 🐠=reef|One foot in each hemisphere=hills",
}

# --- pictures: top and bottom colour of the background, then discs (d x y r) and boxes (b x y w h) -
PICTURES = {
    "river": "f7b267 2b4c7e d 84 38 13 fff1c1|b 0 56 120 34 1f3a5f|b 66 60 36 2 f7d08a|b 72 66 24 2 f7d08a",
    "reef": "7fdbda 0b4f6c d 30 64 12 ff6f59|d 46 74 9 ffb400|d 86 70 14 c3423f|d 70 36 5 fff3b0|b 75 34 6 4 fff3b0",
    "tram": "cfe8ef 8a817c b 26 28 68 40 f2c14e|b 32 34 14 14 36454f|b 53 34 14 14 36454f|b 74 34 14 14 36454f|b 20 70 80 3 444444|d 42 70 6 222222|d 78 70 6 222222",
    "gate": "ffd9a0 6a994e b 20 20 80 7 c1121f|b 28 34 64 5 c1121f|b 34 27 7 58 c1121f|b 79 27 7 58 c1121f",
    "wave": "bde0fe 1d3557 d 96 20 9 ffffff|d 40 80 32 457b9d|d 84 88 30 2a6f97",
    "hills": "a2d2ff e9f5db d 30 96 44 588157|d 90 100 48 3a5a40|d 62 22 8 ffd166",
    "track": "e9c46a b5533c b 0 50 120 2 ffffff|b 0 62 120 2 ffffff|b 0 76 120 3 ffffff|d 60 30 10 264653",
    "books": "f1e3d3 99621e b 26 58 70 10 9b2226|b 30 47 62 10 005f73|b 24 36 66 10 ee9b00|b 34 26 56 9 3d405b",
    "chair": "edf2f4 8d99ae b 36 18 10 60 6f4518|b 36 48 46 8 8b5e34|b 74 56 8 22 6f4518",
    "lamp": "22223b 4a4e69 d 60 30 20 ffe8a3|b 57 48 6 30 c9ada7|b 44 76 32 5 c9ada7",
    "kettle": "fefae0 d4a373 d 58 54 24 386641|b 78 46 22 6 386641|b 50 22 16 8 283618",
    "bicycle": "d8f3dc 52796f d 34 60 18 2f3e46|d 34 60 14 a9c6b5|d 86 60 18 2f3e46|d 86 60 14 a9c6b5|b 34 42 46 4 e76f51|b 78 28 4 32 e76f51",
    "guitar": "fbf8cc 7f5539 d 42 58 20 bc6c25|d 66 54 15 bc6c25|d 48 57 7 3c2415|b 66 51 46 5 3c2415",
    "plant": "f0efeb b7b7a4 d 60 34 18 40916c|d 46 44 12 2d6a4f|d 74 44 12 52b788|b 46 60 28 20 bc4749",
}
