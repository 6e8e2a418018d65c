/// The names of months in many languages.
enum MonthNames {
    /// Returns the number of the month with a name, or `nil` if no month has the name.
    ///
    /// - Parameter name: A name or its abbreviation in lowercase letters, without a period at its end.
    /// - Returns: The number from 1, or `nil`.
    static func month(_ name: String) -> Int? { months[name] }

    private static let months: [String: Int] = {
        var months: [String: Int] = [:]
        for (index, names) in texts.enumerated() {
            for name in names.split(separator: " ") { months[String(name)] = index + 1 }
        }
        return months
    }()

    /// The names of each month: the full and the abbreviated forms of the Unicode CLDR, alone and in dates, with and
    /// without accents.
    ///
    /// The languages are Bulgarian, Catalan, Chinese, Czech, Danish, Dutch, English, Estonian, Finnish, French, German,
    /// Greek, Hungarian, Indonesian, Italian, Latvian, Lithuanian, Malay, Norwegian, Polish, Portuguese, Romanian,
    /// Russian, Slovak, Slovenian, Spanish, Swedish, Thai, Turkish and Ukrainian. No name means different months in two
    /// of them. Japanese, Korean and Vietnamese dates have numbers.
    private static let texts = [
        """
        ene enero gen gener gennaio ian ianuarie jaan jaanuar jan janeiro januar januara januari january \
        január januára janv janvaris janvier janvāris led leden ledna oca ocak sausio sausis sty styczen \
        styczeń stycznia tammi tammikuu tammikuuta ιαν ιανουαρίου січ січень січня янв январь января януари \
        ม.ค มกราคม 一月
        """,
        """
        feb febbraio febr febrer febrero februar februara februari februarie februaris february február \
        februára februāris fev fevereiro fevr fevrier fév févr février helmi helmikuu helmikuuta lut lutego \
        luty sub subat uno unor unora vasario vasaris veebr veebruar úno únor února şub şubat φεβ \
        φεβρουαρίου лют лютий лютого февр февраль февраля февруари ก.พ กุมภาพันธ์ 二月
        """,
        """
        bre brezen brezna bře březen března kovas kovo maa maalis maaliskuu maaliskuuta maart mac mar marc \
        marca march marcius marco marec maret mars mart martie marts marz marzec marzo març março mrt mrz \
        márc március mär märts märz μαρ μαρτίου бер березень березня мар март марта มี.ค มีนาคม 三月
        """,
        """
        abr abril apr april aprila aprile aprilie aprilis aprill apríl apríla aprīlis avr avril balandis \
        balandzio balandžio dub duben dubna huhti huhtikuu huhtikuuta kwi kwiecien kwiecień kwietnia nis \
        nisan ápr április απρ απριλίου апр апрель апреля април квіт квітень квітня เม.ย เมษายน 四月
        """,
        """
        geguze geguzes gegužė gegužės kve kveten kvetna kvě květen května mag maggio mai maig maijs maio maj \
        maja majus may mayis mayo mayıs mei máj mája május touko toukokuu toukokuuta μαΐ μαΐου май мая трав \
        травень травня พ.ค พฤษภาคม 五月
        """,
        """
        birzelio birzelis birželio birželis cerven cervna cvn cze czerwca czerwiec giu giugno haz haziran \
        iun iunie juin jun juna june junho juni junij junijs junio junius juny juuni jún júna június jūn \
        jūnijs kesa kesakuu kesakuuta kesä kesäkuu kesäkuuta červen června čvn ιουν ιουνίου июн июнь июня \
        черв червень червня юни มิ.ย มิถุนายน 六月
        """,
        """
        cervence cervenec cvc heina heinakuu heinakuuta heinä heinäkuu heinäkuuta iul iulie juil juillet jul \
        jula julai julho juli julij julijs julio juliol julius july juuli júl júla július jūl jūlijs liepa \
        liepos lip lipca lipiec lug luglio tem temmuz července červenec čvc ιουλ ιουλίου июл июль июля лип \
        липень липня юли ก.ค กรกฎาคม 七月
        """,
        """
        ag ago agost agosto agu agustos agustus aou aout aoû août aug august augusta augusti augusts \
        augustus augusztus avg avgust ağu ağustos elo elokuu elokuuta ogo ogos rugpjucio rugpjutis rugpjūtis \
        rugpjūčio sie sierpien sierpień sierpnia srp srpen srpna αυγ αυγούστου авг август августа серп \
        серпень серпня ส.ค สิงหาคม 八月
        """,
        """
        eyl eylul eylül rugsejis rugsejo rugsėjis rugsėjo sep sept september septembra septembre septembrie \
        septembris septiembre set setembre setembro settembre syys syyskuu syyskuuta szept szeptember wrz \
        wrzesien wrzesień wrzesnia września zar zari zář září σεπ σεπτεμβρίου вер вересень вересня сент \
        сентябрь сентября септември ก.ย กันยายน 九月
        """,
        """
        eki ekim loka lokakuu lokakuuta oct october octobre octombrie octubre okt oktober oktobra oktobris \
        oktoober október októbra ott ottobre out outubro paz pazdziernik pazdziernika paź październik \
        października rij rijen rijna spalio spalis říj říjen října οκτ οκτωβρίου жовт жовтень жовтня окт \
        октомври октябрь октября ต.ค ตุลาคม 十月
        """,
        """
        kas kasim kasım lapkricio lapkritis lapkričio lis listopad listopada listopadu marras marraskuu \
        marraskuuta noiembrie nov november novembra novembre novembris novembro noviembre νοε νοεμβρίου лист \
        листопад листопада ноември нояб ноябрь ноября พ.ย พฤศจิกายน 十一月
        """,
        """
        ara aralik aralık dec december decembra decembre decembrie decembris des desember desembre dets \
        detsember dez dezember dezembro dic dicembre diciembre dis disember déc décembre gru grudnia \
        grudzien grudzień gruodis gruodzio gruodžio joulu joulukuu joulukuuta pro prosince prosinec δεκ \
        δεκεμβρίου груд грудень грудня дек декабрь декабря декември ธ.ค ธันวาคม 十二月
        """,
    ]
}
